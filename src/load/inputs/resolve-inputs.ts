/**
 * What was named on the command line → the logs it means (format.md §1). A file is itself, `-` is standard input,
 * `store.db#ID` one session of a database and `store.db` all of them, a directory every log below it, with the
 * highest generation of each session, and anything else a session id or a unique beginning of one in the store.
 */
import { type Dirent, existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Finding } from '../../core/findings/finding.ts'
import { NUL_IN_NAME } from '../../storage/reason-of.ts'
import { ToolError } from '../../storage/tool-error.ts'
import {
  decodeSegment,
  generationOf,
  isLeftover,
  isLogName,
  isProjectDirectory,
  namesOfOriginal,
  versionIn,
} from './store-layout.ts'
import { walkFolders } from './walk-folders.ts'

export interface LogInput {
  /** As it is shown to the user. */
  readonly name: string
  /** File to read, or `-`. */
  readonly path: string
  /** Id, or unique beginning of one, of a session in a database. */
  readonly session?: string
  /** What its place says about it. */
  readonly remarks: readonly Finding[]
  /** Why it cannot be read, when that is known already. */
  readonly problem?: string
  /** It was found in a folder that was named. */
  readonly isFound?: true
}

interface ResolvingOptions {
  /** What standard input is called. */
  readonly stdinName?: string | undefined
  /** Whether a folder may hold no log. */
  readonly allowEmpty?: boolean
  /** Whether a file or folder may be read, by its real path. */
  readonly allows?: ((real: string) => boolean) | undefined
}

/** @param storeRoot - directory of sessions in which ids are looked up. */
export async function resolveInputs(
  names: readonly string[],
  storeRoot: string,
  options: ResolvingOptions = {},
): Promise<readonly LogInput[]> {
  const inputs: LogInput[] = []
  for (const name of names)
    for (const input of await resolveInput(name, storeRoot, options)) inputs.push(input)
  return inputs
}

/** The only one; a command that takes one log refuses a name that stands for several. */
export function onlyInput(name: string, inputs: readonly LogInput[]): LogInput {
  const [input] = inputs
  if (input !== undefined && inputs.length === 1) return input
  const hint = `Name one of them, for example ${input?.name}`
  throw new ToolError('usage', `${name} names ${inputs.length} logs, and this command takes one`, hint)
}

async function resolveInput(
  name: string,
  storeRoot: string,
  { stdinName, allowEmpty = false, allows }: ResolvingOptions,
): Promise<readonly LogInput[]> {
  if (name === '') throw new ToolError('usage', 'an empty name names no log')
  if (name.includes('\0')) throw new ToolError('input', `cannot read ${name}: ${NUL_IN_NAME}`)
  if (name === '-') return [{ name: stdinName ?? name, path: name, remarks: [] }]
  const kind = await kindOf(name)
  if (kind === 'directory')
    return (await logsBelow(name, allowEmpty, allows)).map((input) => ({ ...input, isFound: true }))
  if (kind === 'other') return [{ name, path: name, remarks: remarksOf(name) }]
  // Names of files and ids of sessions may both hold the mark.
  for (let hash = name.lastIndexOf('#'); hash > 0; hash = name.lastIndexOf('#', hash - 1)) {
    const path = name.slice(0, hash)
    if ((await kindOf(path)) === 'other') return [{ name, path, session: name.slice(hash + 1), remarks: [] }]
  }
  const stored = await sessionsNamed(name, storeRoot)
  return stored ?? [{ name, path: name, remarks: [] }]
}

async function kindOf(path: string): Promise<'directory' | 'other' | 'missing'> {
  try {
    return (await stat(path)).isDirectory() ? 'directory' : 'other'
  } catch (error) {
    // Opening it distinguishes what is missing from what cannot be read.
    return ['EACCES', 'EPERM', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')
      ? 'other'
      : 'missing'
  }
}

// Session ids ------------------------------------------------------------------------------------------------------

/** The logs of the session with this id in a store; `undefined` when there is none. */
export async function sessionsNamed(id: string, storeRoot: string): Promise<readonly LogInput[] | undefined> {
  if (id.includes('/') || id.includes('\\') || !existsSync(storeRoot)) return undefined
  const directories = await sessionDirectories(storeRoot)
  const exact = directories.filter((directory) => decodeSegment(basename(directory)) === id)
  const found =
    exact.length > 0 ? exact : directories.filter((path) => decodeSegment(basename(path)).startsWith(id))
  if (found.length === 0) return undefined
  if (found.length > 1) {
    const shown = found.slice(0, 5).map((directory) => relative(storeRoot, directory))
    throw new ToolError(
      'usage',
      `"${id}" names ${found.length} sessions: ${shown.join(', ')}`,
      'Give more of the id.',
    )
  }
  return logsBelow(found[0] as string)
}

/** Ids of the sessions of a store, the first so many; none where there is no store. */
export async function sessionIds(storeRoot: string, most: number): Promise<readonly string[]> {
  if (!existsSync(storeRoot)) return []
  const directories = await sessionDirectories(storeRoot).catch(() => [])
  return directories.slice(0, most).map((directory) => decodeSegment(basename(directory)))
}

async function sessionDirectories(storeRoot: string): Promise<readonly string[]> {
  const directories: string[] = []
  for (const project of await entriesOf(storeRoot)) {
    if (!project.isDirectory() || !isProjectDirectory(project.name)) continue
    for (const session of await entriesOf(join(storeRoot, project.name))) {
      if (session.isDirectory()) directories.push(join(storeRoot, project.name, session.name))
    }
  }
  return directories
}

async function entriesOf(directory: string): Promise<readonly Dirent[]> {
  return readdir(directory, { withFileTypes: true })
}

// Directories ------------------------------------------------------------------------------------------------------

async function logsBelow(
  root: string,
  allowEmpty = false,
  allows?: (real: string) => boolean,
): Promise<readonly LogInput[]> {
  const inputs: LogInput[] = []
  for (const { folder, files, problems } of await walkFolders(root, allows)) {
    for (const { path, reason } of problems) {
      inputs.push({ name: shown(path), path, remarks: [], problem: `cannot read ${path}: ${reason}` })
    }
    for (const input of logsIn(folder, files)) inputs.push(input)
  }
  if (inputs.length === 0 && !allowEmpty) throw new ToolError('input', `there is no session log in ${root}`)
  return withStoreRemarks(inputs)
}

/** The logs of one folder: the highest generation of a session, and every file that is called like a log and is no copy. */
function logsIn(folder: string, files: readonly string[]): readonly LogInput[] {
  const generations = files.filter((file) => generationOf(file) !== undefined)
  const current = generations.toSorted((a, b) => versionIn(b) - versionIn(a) || (a < b ? -1 : 1))[0]
  const inputs: LogInput[] = []
  if (current !== undefined) {
    const path = join(folder, current)
    const remarks = [...remarksOf(path)]
    for (const older of generations) {
      if (older === current) continue
      if (versionIn(older) === versionIn(current))
        remarks.push({ code: 'store/mixed-suffixes', origin: {}, args: {} })
      else remarks.push({ code: 'store/older-generation', origin: {}, args: { file: older, current } })
    }
    for (const file of files)
      if (isLeftover(file)) remarks.push({ code: 'store/leftover', origin: {}, args: { file } })
    inputs.push({ name: shown(path), path, remarks })
  }
  // DSH reads nothing else there: what is next to a session of a store was put there by somebody.
  if (current !== undefined && isProjectDirectory(basename(dirname(folder)))) return inputs
  for (const file of files.toSorted()) {
    const isCopy = namesOfOriginal(file).some((name) => files.includes(name))
    if (generations.includes(file) || isCopy || !isLogName(file)) continue
    const path = join(folder, file)
    inputs.push({ name: shown(path), path, remarks: remarksOf(path) })
  }
  return inputs
}

/** As people and services write paths; Windows takes these, too. */
function shown(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

/** What the path alone says. */
function remarksOf(path: string): readonly Finding[] {
  const isFlat = isProjectDirectory(basename(dirname(path))) && /\.jsonl(?:\.zstd)?$/.test(path)
  return isFlat ? [{ code: 'store/flat-layout', origin: {}, args: { file: basename(path) } }] : []
}

/** What only the whole store can say: ids that occur twice, and both suffixes in one root. */
function withStoreRemarks(inputs: readonly LogInput[]): readonly LogInput[] {
  const stored = inputs.filter(
    ({ path }) =>
      generationOf(basename(path)) !== undefined && isProjectDirectory(basename(dirname(dirname(path)))),
  )
  const byId = groupById(stored)
  const suffixes = new Set(stored.map(({ path }) => path.endsWith('.zstd')))
  return inputs.map((input) => {
    const twins = stored.includes(input) ? (byId.get(sessionFolder(input)) ?? []) : []
    const remarks = [...input.remarks]
    if (twins.length > 1) {
      const other = twins.find((twin) => twin !== input)?.path ?? ''
      remarks.push({
        code: 'store/duplicate-id',
        origin: {},
        args: { id: decodeSegment(sessionFolder(input)), other },
      })
    }
    const isSaid = remarks.some(({ code }) => code === 'store/mixed-suffixes')
    if (suffixes.size > 1 && twins.length > 0 && !isSaid)
      remarks.push({ code: 'store/mixed-suffixes', origin: {}, args: {} })
    return remarks.length === input.remarks.length ? input : { ...input, remarks }
  })
}

function sessionFolder({ path }: LogInput): string {
  return basename(dirname(path))
}

function groupById(inputs: readonly LogInput[]): Map<string, LogInput[]> {
  const groups = new Map<string, LogInput[]>()
  for (const input of inputs) {
    const group = groups.get(sessionFolder(input))
    if (group === undefined) groups.set(sessionFolder(input), [input])
    else group.push(input)
  }
  return groups
}
