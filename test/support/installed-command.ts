/**
 * A folder for PATH in which the built command line can be had from the package registry under its present name and
 * version and no other, without a registry: `npm install --global` puts it there, `npx --yes` runs it.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BIN } from './run-cli.ts'
import { tempDir } from './temp-dir.ts'

const manifest = JSON.parse(readFileSync(join(dirname(BIN), '../package.json'), 'utf8'))

/** What a registry would be asked for. */
export const PACKAGE = `${manifest.name}@${manifest.version}`

/** The command of an installed tarball, where a run of the tests is about that. */
const COMMAND = process.env.RESURFACE_BIN ?? BIN

const RUN = `exec '${process.execPath}' '${COMMAND}' "$@"`

export function registryFolder(): string {
  const folder = tempDir()
  const only = (expected: string, actual: string): string =>
    `[ "${actual}" = '${expected}' ] || { echo "there is nothing for: $0 $*" >&2; exit 9; }`
  const command = join(folder, 'resurface')
  script(join(folder, 'npx'), [only(`--yes ${PACKAGE}`, '$1 $2'), 'shift 2', RUN])
  script(join(folder, 'npm'), [
    only(`install --global ${PACKAGE}`, '$*'),
    `printf '%s\\n' '#!/bin/sh' "${RUN.replaceAll(/["$]/g, '\\$&')}" > '${command}'`,
    `chmod +x '${command}'`,
  ])
  return folder
}

/** The same with the command installed already. */
export function commandFolder(): string {
  const folder = tempDir()
  script(join(folder, 'resurface'), [RUN])
  return folder
}

function script(path: string, lines: readonly string[]): void {
  writeFileSync(path, `#!/bin/sh\n${lines.join('\n')}\n`)
  chmodSync(path, 0o755)
}
