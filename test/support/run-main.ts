/** The command line in this process, with another world around it: fast enough for tables of calls. */
import { Readable, Writable } from 'node:stream'
import type { Host } from '../../src/cli/host.ts'
import { main } from '../../src/cli/main.ts'

export interface World {
  readonly input?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  /** The working directory, as far as a configuration is looked for in it and above it. */
  readonly cwd?: string
  /** Standard output is a terminal of this width. */
  readonly terminal?: number
  /** Standard input is a terminal. */
  readonly typing?: boolean
  /** Standard error is a terminal of this width, and anyone who asks for the time is a second late again. */
  readonly watching?: number
}

export interface MainResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

export async function runMain(args: readonly string[], world: World = {}): Promise<MainResult> {
  const { input, env = {}, cwd = '/', terminal, typing, watching } = world
  const stdout = new Collector()
  const stderr = new Collector()
  let time = 1_700_000_000_000
  const host: Host = {
    stdin: Object.assign(Readable.from(input === undefined ? [] : [Buffer.from(input)]), {
      isTTY: typing === true,
    }),
    stdout: Object.assign(stdout, terminal === undefined ? {} : { isTTY: true, columns: terminal }),
    stderr: Object.assign(stderr, watching === undefined ? {} : { isTTY: true, columns: watching }),
    env,
    cwd,
    version: '0.0.0',
    now: () => {
      if (watching !== undefined) time += 1000
      return time
    },
    atExit: () => {},
  }
  const exitCode = await main(args, host)
  return { stdout: stdout.text(), stderr: stderr.text(), exitCode }
}

class Collector extends Writable {
  readonly #chunks: Buffer[] = []

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk)
    done()
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}
