/**
 * A fleet in parts, by the real GNU parallel: one of the processes is killed and its part is run again, and the counts are
 * those of one process.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { BIN } from '../support/run-cli.ts'
import { tempDir } from '../support/temp-dir.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { writeFleet } from './small-logs.ts'

const SESSIONS = 300
const PARTS = 4

const parallel = await execa('parallel', ['--version'], { reject: false })
const missing = parallel.failed ? 'GNU parallel is not installed' : undefined

/**
 * A `resurface` that kills itself, the first time, when it has begun to write about the part `logs-02`: what is written has
 * another name until it is complete.
 */
const FATAL = `#!/bin/bash
if [[ "$*" == *part-logs-02* ]] && [ ! -e killed ]; then
  touch killed
  # On a busy machine it may be done before anybody looks: then it is done again.
  for attempt in {1..100}; do
    "${process.execPath}" "${BIN}" "$@" & pid=$!
    while kill -0 $pid 2> /dev/null; do
      if compgen -G '.part-logs-02*.tmp' > /dev/null; then
        kill -KILL $pid
        wait $pid
        exit
      fi
      sleep 0.01
    done
    rm -f part-logs-02.ndjson
  done
  exit 1
fi
exec "${process.execPath}" "${BIN}" "$@"
`

function linesOf(path: string): readonly Readonly<Record<string, unknown>>[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** How many lines there are of every kind and, of these, every verdict and code. */
function countsOf(paths: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { kind, verdict, code } of paths.flatMap(linesOf)) {
    if (kind === 'total') continue
    const name = `${kind} ${verdict ?? code}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

describeUnlessMissing(missing, 'GNU parallel', () => {
  test('one of several processes is killed', { timeout: 600_000 }, async () => {
    const folder = tempDir()
    const logs = writeFleet(SESSIONS, join(folder, 'store'))
    writeFileSync(join(folder, 'logs'), logs.map((path) => `${path}\n`).join(''))
    const bin = tempDir()
    writeFileSync(join(bin, 'resurface'), FATAL, { mode: 0o755 })
    const options = {
      cwd: folder,
      env: { HOME: folder, PATH: `${bin}${delimiter}${process.env.PATH}` },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    } as const
    const check = 'resurface check --fail-on never --format ndjson'
    await execa(
      'bash',
      ['-c', `${check} --files-from logs -o alone.ndjson; split -n r/${PARTS} -d logs logs-`],
      options,
    )

    const job = `${check} --files-from {} --jobs 1 -o part-{}.ndjson || [ $? = 4 ]`
    const parts = readdirSync(folder).filter((name) => /^logs-\d+$/.test(name))
    const names = parts.map((part) => join(folder, `part-${part}.ndjson`))
    expect(parts).toHaveLength(PARTS)
    const first = await execa('parallel', ['--jobs', '2', '--joblog', 'jobs', job, ':::', ...parts], options)
    expect(first.exitCode).toBe(1)
    expect(existsSync(join(folder, 'killed'))).toBe(true)
    expect(names.filter((name) => !existsSync(name))).toEqual([join(folder, 'part-logs-02.ndjson')])

    const again = await execa(
      'parallel',
      ['--jobs', '2', '--joblog', 'jobs', '--resume-failed', job, ':::', ...parts],
      options,
    )
    expect(again.exitCode, again.stderr).toBe(0)
    expect(countsOf(names)).toEqual(countsOf([join(folder, 'alone.ndjson')]))
    expect(countsOf(names)).toMatchObject({ 'summary clean': 225, 'finding order/seq-gap': 15 })
    const totals = names.map((name) => linesOf(name).at(-1))
    expect(totals.map((line) => line?.reports)).toEqual(Array(PARTS).fill(SESSIONS / PARTS))
  })
})
