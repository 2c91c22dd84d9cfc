/**
 * A command of the user that judges a log. The shell runs it, because the user wrote it for a shell; all that is put into
 * it is the path of a file that was made here, so nothing of a log gets there. It has the meaning of `git bisect run`:
 * 0 is good, 125 cannot tell, any other code below 128 is bad, and everything else ends the search.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Probed } from '../../core/search/first-bad.ts'
import { ToolError } from '../../storage/tool-error.ts'

const PLACE = '{}'
const CANNOT_TELL = 125
/** What a shell says of a command that it cannot run, or cannot find. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127])
const FIRST_ABORT = 128

export class UserCommand {
  /** As it was given. */
  readonly text: string
  /** How often it was run. */
  runs = 0

  constructor(command: string) {
    if (!command.includes(PLACE))
      throw new ToolError('usage', '--exec needs {} in the place of the file', "Write --exec 'test.sh {}'.")
    this.text = command
  }

  async probe(file: string): Promise<Probed> {
    const code = await exitCodeOf(this.text.replaceAll(PLACE, () => quoted(file)))
    const isFirst = this.runs++ === 0
    if (code === undefined || code >= FIRST_ABORT || (isFirst && NOT_RUN.has(code))) {
      const how = code === undefined ? 'was ended by a signal' : `ended with ${code}`
      throw new ToolError('usage', `the command of --exec ${how}, so nothing can be said`, this.text)
    }
    if (code === 0) return 'good'
    return code === CANNOT_TELL ? 'skip' : 'bad'
  }
}

const HAS_GROUPS = process.platform !== 'win32'

/** Its output is not the answer and goes nowhere; its complaints are heard. `undefined` when a signal ended it. */
async function exitCodeOf(command: string): Promise<number | undefined> {
  const child = spawn(command, {
    shell: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    // A group of its own, so that what the shell has started ends with it.
    detached: HAS_GROUPS,
  })
  const stop = (): void => {
    try {
      if (HAS_GROUPS && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      else child.kill()
    } catch {
      // It has ended by itself.
    }
  }
  process.once('exit', stop)
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? undefined
  } finally {
    process.off('exit', stop)
  }
}

/** A path without anything special in it stays as it is, so that the user may quote it, too. */
function quoted(path: string): string {
  if (/^[\w./:\\-]+$/.test(path) && (process.platform === 'win32' || !path.includes('\\'))) return path
  return process.platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
