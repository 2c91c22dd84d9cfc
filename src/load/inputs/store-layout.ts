/**
 * Where DSH keeps sessions (format.md §1): names of project and session directories, generations of a log, and what a
 * path says about the log it should hold. Pure text work; nothing is read here.
 */
import { basename, dirname, join, resolve } from 'node:path'
import type { SessionHeader } from '../../core/event/session-event.ts'

const LITERAL = /[A-Za-z0-9._-]/
const LONGEST_PROJECT_KEY = 251

/** A session id as a directory name: injective, so that it can be read back. */
export function encodeSegment(raw: string): string {
  if (raw === '.') return '~002E'
  if (raw === '..') return '~002E~002E'
  return escapeUnits(raw)
}

/** The session id that a directory name stands for. */
export function decodeSegment(name: string): string {
  return name.replace(/~([0-9A-F]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
}

/** A working directory as a project directory name. Not injective: the header has the truth. */
export function projectKey(cwd: string): string {
  const key = escapeUnits(cwd.replace(/[/\\:]+/g, '-')).replace(/^-+/, '') || 'root'
  return `--${key.slice(0, LONGEST_PROJECT_KEY)}--`
}

function escapeUnits(text: string): string {
  let escaped = ''
  for (let index = 0; index < text.length; index++) {
    const unit = text[index] as string
    escaped += LITERAL.test(unit)
      ? unit
      : `~${text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')}`
  }
  return escaped
}

const GENERATION = /^session(?:\.v([1-9][0-9]*))?\.jsonl(\.zstd)?$/

export interface Generation {
  /** Format version that the name promises. */
  readonly version: number
  readonly compressed: boolean
}

/** What the file name of a generation says; `undefined` for any other name. */
export function generationOf(fileName: string): Generation | undefined {
  const match = GENERATION.exec(fileName)
  if (match === null) return undefined
  return { version: Number(match[1] ?? 0), compressed: match[2] !== undefined }
}

/** The format version that a file name promises. */
export function versionIn(fileName: string): number {
  return generationOf(fileName)?.version ?? 0
}

export function generationName({ version, compressed }: Generation): string {
  return `session${version === 0 ? '' : `.v${version}`}.jsonl${compressed ? '.zstd' : ''}`
}

export const NO_CWD = '_no-cwd'

export function isProjectDirectory(name: string): boolean {
  return name === NO_CWD || /^--.+--$/.test(name)
}

/** A temporary file of the writer, left behind by a crash. */
export function isLeftover(fileName: string): boolean {
  return /\.[0-9a-f]{12}\.tmp$/.test(fileName)
}

const REPAIRED = /^(.*)\.repaired((?:\.jsonl)?(?:\.zstd?)?|\.(?:db|sqlite3?))$/i

/** Names of the log that a file called like this is a repaired copy of. */
export function namesOfOriginal(fileName: string): readonly string[] {
  const [, name, ending = ''] = REPAIRED.exec(fileName) ?? []
  return name === undefined ? [] : [`${name}${ending}`, `${name}${ending}.gz`]
}

export function isLogName(fileName: string): boolean {
  return /\.(?:jsonl|zstd|zst|db|sqlite|sqlite3)$/i.test(fileName) || /\.jsonl\.gz$/i.test(fileName)
}

/** Where DSH keeps its sessions (format.md §1.1). */
export function storeRootIn(env: Readonly<Record<string, string | undefined>>): string {
  const home = env.DSH_HOME || join(env.HOME ?? env.USERPROFILE ?? '', '.dsh')
  return join(home, 'sessions')
}

/** Root of the store that a log lies in, in the current layout or the flat one, when the path looks like one at all. */
export function storeRootOf(path: string): string | undefined {
  const full = resolve(path)
  const folder = dirname(full)
  const project = generationOf(basename(full)) === undefined ? folder : dirname(folder)
  return isProjectDirectory(basename(project)) ? dirname(project) : undefined
}

/** Where a log with this header belongs below its store, when the path looks like one of a store at all. */
export function expectedLocation(
  path: string,
  header: SessionHeader,
): { expected: string; found: string } | undefined {
  const full = resolve(path)
  if (generationOf(basename(full)) === undefined) return undefined
  const session = dirname(full)
  const project = dirname(session)
  if (!isProjectDirectory(basename(project)) || header.id === '') return undefined
  const expected = join(header.cwd === undefined ? NO_CWD : projectKey(header.cwd), encodeSegment(header.id))
  return { expected, found: join(basename(project), basename(session)) }
}
