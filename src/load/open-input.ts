/** Path → source of records, from the content of the file and not from its name. */
import { constants, createWriteStream } from 'node:fs'
import { access, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { plainFile } from '../storage/jsonl/plain-file.ts'
import type { ReadLimits, RecordSource } from '../storage/record-source.ts'
import { ToolError } from '../storage/tool-error.ts'

export interface OpenedInput {
  readonly source: RecordSource
  /** The file that holds the bytes: the input itself, or a private copy of standard input. */
  readonly file: string
  readonly container: string
  close(): Promise<void>
}

/** @param stdin - what `-` stands for. */
export async function openInput(path: string, limits: ReadLimits, stdin: Readable): Promise<OpenedInput> {
  if (path === '-') return spooled(stdin, limits)
  await mustBeReadable(path)
  const container = await containerOf(path)
  if (container !== 'jsonl')
    throw new ToolError('unsupported', `${path} is ${container}, which is not read yet`)
  return { source: plainFile(path, limits), file: path, container, close: async () => {} }
}

/** Reading may have to look ahead and come back, so a stream is put into a private file first. */
async function spooled(stdin: Readable, limits: ReadLimits): Promise<OpenedInput> {
  const folder = await mkdtemp(join(tmpdir(), 'resurface-'))
  const file = join(folder, 'stdin')
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await pipeline(stdin, createWriteStream(file, { mode: 0o600 }))
  } catch (error) {
    await close()
    throw error
  }
  return { source: plainFile(file, limits), file, container: await containerOf(file), close }
}

async function mustBeReadable(path: string): Promise<void> {
  try {
    const status = await stat(path)
    if (!status.isFile()) throw new ToolError('input', `${path} is not a regular file`)
    await access(path, constants.R_OK)
  } catch (error) {
    if (error instanceof ToolError) throw error
    throw new ToolError('input', `cannot read ${path}: ${reasonOf(error)}`)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
}

export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error))
}

const MAGIC: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['gzip', Buffer.from([0x1f, 0x8b])],
  ['sqlite', Buffer.from('SQLite format 3\0')],
]

async function containerOf(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(16)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    for (const [name, magic] of MAGIC) {
      if (bytesRead >= magic.length && head.subarray(0, magic.length).equals(magic)) return name
    }
    return 'jsonl'
  } finally {
    await file.close()
  }
}
