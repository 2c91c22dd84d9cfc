/**
 * One input → a source of records, from the content of the file and not from its name. Standard input, gzip and text in
 * another form than lines of UTF-8 are put into a private file first, because reading may have to look ahead and come back.
 */
import { accessSync, constants, createReadStream, existsSync, realpathSync, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Finding } from '../../core/findings/finding.ts'
import type { JsonValue } from '../../core/json/json-value.ts'
import { type Container, containerOf, namedContainer, saysNothing } from '../../storage/detect.ts'
import { type Fingerprint, fingerprintFile, sameFingerprint } from '../../storage/fingerprint.ts'
import { plainFile } from '../../storage/jsonl/plain-file.ts'
import { linesOfForm, type TextForm, textFormOf } from '../../storage/jsonl/text-form.ts'
import { reasonOf } from '../../storage/reason-of.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import type { OpenedDatabase } from '../../storage/sqlite/open-copy.ts'
import type { Copied } from '../../storage/sqlite/private-copy.ts'
import { ToolError } from '../../storage/tool-error.ts'
import { type LookAlike, lookAlikeSource } from '../reading/look-alikes.ts'
import type { LogInput } from './resolve-inputs.ts'
import type { Spooled } from './spool.ts'
import { type Reading, type ReadingProgress, watchedSource } from './watched-source.ts'

export interface OpenedInput {
  readonly source: RecordSource
  /** The file that holds the bytes: the input itself, or a private copy of it. */
  readonly file: string
  /** Where the user keeps it; absent for standard input. */
  readonly path?: string
  /** What `file` was before it was read: the file alone, or a database and what SQLite keeps next to it. */
  readonly taken: Copied
  /** The user's file as it was read, where a repaired log can take its place. */
  readonly replaceable?: { readonly path: string; readonly taken: Fingerprint }
  readonly container: Container
  /** Session inside a database. */
  readonly session?: string
  /** How many other sessions the database holds, as far as they can be reached. */
  readonly others?: () => number
  /** The other sessions of the database, where it is certain which there are. */
  readonly sessions?: {
    has(id: string): boolean
    parentOf(id: string): string | undefined
  }
  /** What the container and the place of the log say about it. */
  readonly findings: readonly Finding[]
  /** What the source has put in the place of secrets so far, where it was made to. */
  readonly marks?: ReadonlySet<string>
  /** Kinds of secrets that the user named and that stay. */
  readonly secretsLeft?: ReadonlySet<string>
  close(): Promise<void>
}

export interface OpenOptions {
  readonly limits: ReadLimits
  readonly stdin: Readable
  readonly lookAlike?: LookAlike
  /** Collects the real paths of what is read. */
  readonly opened?: Set<string>
  /** Is told how far reading has come. */
  readonly progress?: ReadingProgress | undefined
  /** Whether a file or folder may be read, by its real path. Everything may where it is absent. */
  readonly allows?: ((real: string) => boolean) | undefined
}

/** Where it lies, which says which session and format it should be. */
export function pathOf({ replaceable, file }: Pick<OpenedInput, 'replaceable' | 'file'>): string {
  return replaceable?.path ?? file
}

/** Whether it is what it was when it was opened. A database is read from a private copy, which nobody changes. */
export async function isUnchanged({ container, file, taken: [before] }: OpenedInput): Promise<boolean> {
  if (container === 'sqlite') return true
  const now = await fingerprintFile(file).catch(() => undefined)
  return before !== undefined && now !== undefined && sameFingerprint(before, now)
}

/** Opens inputs one after the other. Sessions of one database share one private copy of it. */
export class InputOpener {
  readonly #options: OpenOptions
  #database: OpenedDatabase | undefined

  constructor(options: OpenOptions) {
    this.#options = options
  }

  /** The sessions that a database holds, as inputs; the input itself when it is no database or names a session. */
  async expand(input: LogInput): Promise<readonly LogInput[]> {
    if (input.problem !== undefined) throw new ToolError('input', input.problem)
    if (input.path === '-' || input.session !== undefined) return [input]
    mustBeAllowed(input.path, this.#options)
    sizeOfReadable(input.path)
    if ((await containerOf(input.path)) !== 'sqlite') return [input]
    const { listSessions } = await import('../../storage/sqlite/sessions.ts')
    const sessions = listSessions(await this.#open(input.path))
    if (sessions.length === 0) return [input]
    this.#options.progress?.holds(sessions.length)
    return sessions.map(({ id }) => ({ ...input, name: `${input.name}#${id}`, session: id }))
  }

  async open(input: LogInput): Promise<OpenedInput> {
    const { limits, stdin, progress } = this.#options
    const { name, path } = input
    if (path === '-') {
      progress?.begin({ name, unit: 'bytes' })
      const { spool } = await import('./spool.ts')
      return this.#file(name, await spool(stdin, progress), input.remarks)
    }
    mustBeAllowed(path, this.#options)
    const total = sizeOfReadable(path)
    this.#options.opened?.add(realpathSync(path))
    const container = await containerOf(path)
    const findings = inputFindings(input, container)
    if (container === 'sqlite') return this.#session(input, findings)
    if (input.session !== undefined)
      throw new ToolError(
        'input',
        `${path} is no database and holds one session`,
        `Name it without #${input.session}`,
      )
    if (container !== 'gzip') {
      const taken = await fingerprintFile(path)
      const opened = await this.#file(name, { file: path, remove: async () => {} }, findings, container)
      return {
        ...opened,
        path,
        ...(this.#options.lookAlike === undefined && { replaceable: { path, taken } }),
      }
    }
    progress?.begin({ name, unit: 'bytes', total })
    const { spool } = await import('./spool.ts')
    const spooled = await spool(createReadStream(path), progress, { unpack: limits })
    return { ...(await this.#file(name, spooled, findings, container)), path }
  }

  async close(): Promise<void> {
    const database = this.#database
    this.#database = undefined
    await database?.close()
  }

  async #file(
    name: string,
    spooled: Spooled,
    findings: readonly Finding[],
    as?: Container,
  ): Promise<OpenedInput> {
    const { limits, lookAlike } = this.#options
    const { file, remove } = spooled
    try {
      const taken = await fingerprintFile(file)
      const content = await containerOf(file)
      if (content === 'sqlite' || content === 'gzip') {
        throw new ToolError(
          'input',
          `a ${content} file cannot be read from ${as === 'gzip' ? 'inside a gzip file' : 'standard input'}`,
          as === 'gzip' ? 'Unpack it, and name what was in it.' : 'Name the file instead.',
        )
      }
      const form = content === 'jsonl' ? textFormOf(file) : undefined
      if (form !== undefined) return await this.#rewritten(name, spooled, findings, form)
      const unwatched = content === 'zstd' ? await compressed(file, limits) : plainFile(file, limits)
      const stored = this.#watched(unwatched, { name, unit: 'bytes', total: Number(taken.size) })
      const source = lookAlike === undefined ? stored : lookAlikeSource(stored, lookAlike)
      return { source, file, taken: [taken], container: as ?? content, findings, close: remove }
    } catch (error) {
      await remove()
      throw error
    }
  }

  /** Reads the lines that the text of a file makes. */
  async #rewritten(
    name: string,
    { file, remove }: Spooled,
    findings: readonly Finding[],
    form: TextForm,
  ): Promise<OpenedInput> {
    const { spool } = await import('./spool.ts')
    const rewriting = { isCut: false }
    const rewrite = (chunks: AsyncIterable<Buffer>) => linesOfForm(chunks, form, rewriting)
    const lines = await spool(createReadStream(file), undefined, { rewrite })
    await remove()
    return this.#file(name, lines, [...findings, ...formFindings(form, rewriting.isCut)])
  }

  async #session(input: LogInput, findings: readonly Finding[]): Promise<OpenedInput> {
    const { findSession, listSessions } = await import('../../storage/sqlite/sessions.ts')
    const { sqliteSession } = await import('../../storage/sqlite/sqlite-session.ts')
    const database = await this.#open(input.path)
    const isNamed = input.session !== undefined && findSession(database, input.session) !== undefined
    const session = isNamed
      ? input.session
      : chooseSession(
          input,
          listSessions(database).map(({ id }) => id),
        )
    const stored = sqliteSession(database, session, this.#options.limits)
    return {
      source: this.#watched(stored, { name: input.name, unit: 'rows' }),
      file: input.path,
      path: input.path,
      taken: database.copied,
      ...(this.#options.lookAlike === undefined && {
        replaceable: { path: input.path, taken: database.copied[0] as Fingerprint },
      }),
      container: 'sqlite',
      session,
      others: () => listSessions(database).filter(({ id }) => id !== session).length,
      ...(database.faults.length === 0 && {
        sessions: {
          has: (id) => findSession(database, id) !== undefined,
          parentOf: (id) => textOf(findSession(database, id)?.header.parentSession),
        },
      }),
      findings,
      close: async () => {},
    }
  }

  /** As it was, when nobody watches. */
  #watched(source: RecordSource, reading: Reading): RecordSource {
    const { progress } = this.#options
    return progress === undefined ? source : watchedSource(source, reading, progress)
  }

  async #open(path: string): Promise<OpenedDatabase> {
    if (this.#database?.path === path) return this.#database
    await this.close()
    const { openCopy } = await import('../../storage/sqlite/open-copy.ts')
    this.#database = await openCopy(path)
    return this.#database
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

async function compressed(file: string, limits: ReadLimits): Promise<RecordSource> {
  const { zstdFile } = await import('../../storage/zstd/zstd-file.ts')
  return zstdFile(file, limits)
}

function formFindings({ encoding, layout }: TextForm, isCut: boolean): readonly Finding[] {
  const origin = { line: 1, byteOffset: 0 }
  const findings: Finding[] = []
  if (encoding !== undefined) findings.push({ code: 'bytes/utf-16', origin, args: { encoding } })
  if (layout !== undefined)
    findings.push({
      code: 'bytes/layout',
      origin,
      args: { layout, record: false, cut: layout === 'array' && isCut },
    })
  return findings
}

/** Throws when the file, or what SQLite keeps next to it, may not be read. */
function mustBeAllowed(path: string, { allows }: OpenOptions): void {
  if (allows === undefined) return
  for (const part of ['', '-wal', '-journal'])
    if (existsSync(`${path}${part}`) && !allows(realpathSync(`${path}${part}`)))
      throw new ToolError('refused', `${path} leads out of the folders that may be read`)
}

/** DSH reads a log by its name; what its database is called it is told. */
const NAMED_BY_DSH: ReadonlySet<Container> = new Set(['jsonl', 'zstd'])

/** What the path of a log, and the container that was found there, say about it. */
export function inputFindings(input: LogInput, container: Container): readonly Finding[] {
  const named = namedContainer(input.path)
  if (named === undefined || named === container || saysNothing(input.path)) return input.remarks
  const isOfDsh = NAMED_BY_DSH.has(named) && container !== 'sqlite'
  const code = isOfDsh ? 'bytes/container-name' : 'bytes/file-name'
  return [...input.remarks, { code, origin: {}, args: { named, found: container } }]
}

export function chooseSession({ path, session: wanted }: LogInput, ids: readonly string[]): string {
  if (wanted === undefined) {
    if (ids.length === 1) return ids[0] as string
    if (ids.length === 0) return ''
    throw new ToolError('usage', `${path} holds ${ids.length} sessions`, `Name one: ${path}#${ids[0]}`)
  }
  if (ids.includes(wanted)) return wanted
  const beginning = ids.filter((id) => id.startsWith(wanted))
  if (beginning.length === 1) return beginning[0] as string
  const problem = beginning.length === 0 ? 'no session' : `${beginning.length} sessions`
  throw new ToolError(
    'input',
    `${path} holds ${problem} called ${wanted}`,
    ids.length > 0 ? `It holds ${ids.slice(0, 5).join(', ')}` : undefined,
  )
}

/** Throws a sentence when the path does not name a file that can be read. */
export function sizeOfReadable(path: string): number {
  try {
    const status = statSync(path)
    if (!status.isFile())
      throw new ToolError('input', `${path} is not a regular file`, 'Pipe it in and name - instead.')
    accessSync(path, constants.R_OK)
    return status.size
  } catch (error) {
    if (error instanceof ToolError) throw error
    throw new ToolError('input', `cannot read ${path}: ${reasonOf(error)}`)
  }
}
