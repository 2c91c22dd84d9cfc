/**
 * A log that somebody is still writing: waits until it is there, tells its container when enough of it is there, and
 * gives a source of records that grows with it. When the session goes on in a newer generation (format.md §1.3), or the
 * file is another one than before, the source says so, and the log is opened again.
 */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Finding } from '../../core/findings/finding.ts'
import { type Container, containerOf, growingContainerOf } from '../../storage/detect.ts'
import { growingFile } from '../../storage/growing/growing-file.ts'
import type { GrowingSource } from '../../storage/growing/growing-source.ts'
import { LogReplaced } from '../../storage/growing/log-replaced.ts'
import type { PollTiming } from '../../storage/growing/poll-timer.ts'
import { textFormOf } from '../../storage/jsonl/text-form.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { ToolError } from '../../storage/tool-error.ts'
import { type LookAlike, lookAlikeSource } from '../reading/look-alikes.ts'
import { SessionReader } from '../reading/session-reader.ts'
import {
  chooseSession,
  type InputOpener,
  inputFindings,
  type OpenedInput,
  sizeOfReadable,
} from './open-input.ts'
import { type LogInput, onlyInput, resolveInputs } from './resolve-inputs.ts'
import { generationOf, versionIn } from './store-layout.ts'

export interface FollowedLog {
  /** As it is shown to the user. */
  readonly name: string
  readonly source: RecordSource
  /** Whether the reading has come to the end of what was stored when it began. */
  readonly hasCaughtUp: () => boolean
  readonly file: string
  readonly container: Container
  readonly session?: string
  readonly sessions?: NonNullable<OpenedInput['sessions']>
  readonly findings: readonly Finding[]
}

export interface FollowOptions {
  readonly limits: ReadLimits
  /** Directory of sessions in which ids are looked up. */
  readonly storeRoot: string
  readonly lookAlike?: LookAlike | undefined
  /** Collects the real paths of what is read. */
  readonly opened: Set<string>
  readonly timer: PollTiming
  /** Lists the sessions of databases. */
  readonly opener: Pick<InputOpener, 'expand' | 'close'>
  /** Takes a sentence for the user, at once. */
  readonly say: (sentence: string) => void
}

export class LogFollower {
  readonly #name: string
  readonly #options: FollowOptions
  #successor: string | undefined
  #isWaiting = false

  /** @param name - what was named on the command line. */
  constructor(name: string, options: FollowOptions) {
    this.#name = name
    this.#options = options
  }

  /** The log as soon as it is there. When it does not come in time, why it cannot be read. */
  async open(): Promise<FollowedLog> {
    const { timer, say } = this.#options
    for (;;) {
      const isLast = timer.isOver
      const found = await this.#find(isLast)
      if (typeof found !== 'string') {
        timer.restart()
        this.#isWaiting = false
        return found
      }
      if (isLast) throw new ToolError('input', found)
      if (!this.#isWaiting) say(`${found}; waiting for it`)
      this.#isWaiting = true
      await timer.wait()
    }
  }

  /** Goes on with another file. */
  moveTo(path: string): void {
    this.#successor = path
  }

  /** The log, or why it is not there yet. */
  async #find(isLast: boolean): Promise<FollowedLog | string> {
    const input = await this.#input()
    if (typeof input === 'string') return input
    const { name, path } = input
    if (statSync(path, { throwIfNoEntry: false }) === undefined)
      return `cannot read ${name}: there is no such file`
    sizeOfReadable(path)
    const container = isLast ? await containerOf(path) : await growingContainerOf(path)
    if (container === undefined) return `${name} has no content yet`
    if (container === 'gzip')
      throw new ToolError('usage', `${name} is a gzip file, which does not grow record by record`)
    this.#options.opened.add(realpathSync(path))
    return container === 'sqlite' ? this.#session(input, isLast) : this.#text(input, container)
  }

  async #input(): Promise<LogInput | string> {
    const successor = this.#successor
    if (successor !== undefined && existsSync(successor))
      return { name: successor, path: successor, remarks: [] }
    try {
      return onlyInput(this.#name, await resolveInputs([this.#name], this.#options.storeRoot))
    } catch (error) {
      if (error instanceof ToolError && error.code === 'input') return error.message
      throw error
    }
  }

  async #text(input: LogInput, container: 'jsonl' | 'zstd'): Promise<FollowedLog> {
    const { limits, lookAlike, timer } = this.#options
    const { name, path } = input
    if (container === 'jsonl' && textFormOf(path) !== undefined)
      throw new ToolError(
        'usage',
        `${name} is no JSON Lines text in UTF-8, so it does not grow record by record`,
        `See: resurface check ${name}`,
      )
    const file = await growingFile(path, timer, await this.#generationWatch(path))
    const source: GrowingSource =
      container === 'zstd'
        ? (await import('../../storage/growing/growing-frames.ts')).growingFrames(file, limits)
        : (await import('../../storage/growing/growing-lines.ts')).growingLines(file, limits)
    return {
      name,
      source: lookAlike === undefined ? source : lookAlikeSource(source, lookAlike),
      hasCaughtUp: source.hasCaughtUp,
      file: path,
      container,
      findings: inputFindings(input, container),
    }
  }

  async #session(input: LogInput, isLast: boolean): Promise<FollowedLog | string> {
    const { limits, timer, opener } = this.#options
    const { path } = input
    const { loadNative } = await import('../../storage/sqlite/load-native.ts')
    await loadNative()
    let named = input
    let session = ''
    try {
      named = onlyInput(this.#name, await opener.expand(input))
      if (named.session !== undefined) session = chooseSession(named, await this.#idsIn(path))
    } catch (error) {
      if (isLast || !(error instanceof ToolError) || error.code !== 'input') throw error
      return error.message
    } finally {
      await opener.close()
    }
    if (session === '' && !isLast) return `${input.name} holds no session`
    const { growingSession } = await import('../../storage/growing/growing-rows.ts')
    const source = await growingSession(path, session, limits, timer)
    return {
      name: named.name,
      source,
      hasCaughtUp: source.hasCaughtUp,
      file: path,
      container: 'sqlite',
      session,
      // Its sessions may be others a moment later.
      sessions: { has: (id) => source.holds(id) !== false, parentOf: () => undefined },
      findings: inputFindings(input, 'sqlite'),
    }
  }

  async #idsIn(path: string): Promise<readonly string[]> {
    const inputs = await this.#options.opener.expand({ name: path, path, remarks: [] })
    return inputs.flatMap(({ session }) => (session === undefined ? [] : [session]))
  }

  /** What throws when a generation appears that is newer than all that are there now. */
  async #generationWatch(path: string): Promise<() => Promise<void>> {
    if (generationOf(basename(path)) === undefined) return async () => {}
    const folder = dirname(path)
    const { limits } = this.#options
    const seen = new Set(await generationsIn(folder))
    const newest = Math.max(...[...seen].map(versionIn))
    return async () => {
      for (const name of await generationsIn(folder)) {
        if (seen.has(name) || versionIn(name) <= newest) continue
        const successor = join(folder, name)
        const id = await idOf(successor, limits)
        if (id === undefined) continue
        if (id === (await idOf(path, limits)))
          throw new LogReplaced(`the session goes on in ${name}`, successor)
        seen.add(name)
      }
    }
  }
}

async function generationsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => generationOf(name) !== undefined)
    .toSorted((a, b) => versionIn(b) - versionIn(a))
}

/** The id in the header of a text log; absent while there is none. */
async function idOf(path: string, limits: ReadLimits): Promise<string | undefined> {
  try {
    const container = await containerOf(path)
    const source =
      container === 'zstd'
        ? (await import('../../storage/zstd/zstd-file.ts')).zstdFile(path, limits)
        : (await import('../../storage/jsonl/plain-file.ts')).plainFile(path, limits)
    const reader = new SessionReader(source, limits)
    for await (const items of reader.items()) if (items.length > 0) break
    return reader.header?.id
  } catch {
    // It is being made, or taken away.
    return undefined
  }
}
