/**
 * Opens a database for reading without leaving a trace: SQLite works on a private copy, where it may replay a
 * write-ahead log or roll back a journal as it likes. What is wrong with the database as a whole is collected here;
 * what is wrong with one session is found when it is read.
 */
import { open } from 'node:fs/promises'
import { findingOf } from '../../core/findings/finding.ts'
import type { EvidenceOf, FindingCode } from '../../core/findings/rules.ts'
import type { ContainerFault } from '../record-source.ts'
import { ToolError } from '../tool-error.ts'
import { type DataFrames, dataFrames } from './data-frames.ts'
import { type Connection, loadNative, type NativeSqlite } from './load-native.ts'
import { mendedHeaders } from './mend-file-header.ts'
import { type Copied, type PrivateCopy, privateCopy } from './private-copy.ts'
import { type DatabaseShape, readSchema } from './schema-shape.ts'
import { damageOf } from './sqlite-damage.ts'

export interface OpenedDatabase {
  /** The database of the user, which nothing has touched. */
  readonly path: string
  /** What it was when it was copied. */
  readonly copied: Copied
  readonly connection: Connection
  /** How sessions are stored; absent when the database holds no table of sessions that can be read. */
  readonly shape: DatabaseShape | undefined
  /** Opens the values that are stored compressed. */
  readonly frames: DataFrames
  /** What is wrong with the database as a whole. */
  readonly faults: readonly ContainerFault[]
  /** Closes the connection and removes the copy. */
  close(): Promise<void>
}

export async function openCopy(path: string): Promise<OpenedDatabase> {
  const [native, frames] = await Promise.all([loadNative(), dataFrames()])
  const copy = await privateCopy(path)
  try {
    const faults: ContainerFault[] = []
    if (copy.changed) faults.push(fault('bytes/changed-while-reading', {}))
    const { connection, problem } = await connect(native, copy)
    if (problem !== undefined) faults.push(fault('database/damaged', { problem }))
    const schema = readSchema(connection)
    return {
      path,
      copied: copy.copied,
      connection,
      shape: schema.shape,
      frames,
      faults: [...faults, ...schema.faults],
      async close() {
        try {
          connection.close()
        } finally {
          await copy.remove()
        }
      },
    }
  } catch (error) {
    await copy.remove()
    if (error instanceof ToolError || damageOf(error) === undefined) throw error
    throw new ToolError('input', `${path} cannot be opened as a SQLite database: ${damageOf(error)}`)
  }
}

interface Connected {
  readonly connection: Connection
  /** Why the database could only be opened with SQLite's checks of the whole file switched off. */
  readonly problem?: string
}

async function connect(native: NativeSqlite, copy: PrivateCopy): Promise<Connected> {
  try {
    return await connectAs(native, copy)
  } catch (error) {
    if (!isNoDatabase(error)) throw error
    for await (const _ of mendedHeaders(copy.file)) {
      const connected = await connectAs(native, copy).catch((problem: unknown) => {
        if (damageOf(problem) === undefined) throw problem
      })
      if (connected !== undefined) return { ...connected, problem: 'the first bytes of the file are wrong' }
    }
    throw error
  }
}

/** Whatever the file is, SQLite finds no database in it. */
function isNoDatabase(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'SQLITE_NOTADB'
}

async function connectAs(native: NativeSqlite, copy: PrivateCopy): Promise<Connected> {
  const connection = new native(copy.file, { fileMustExist: true })
  try {
    try {
      prepare(connection)
      return { connection }
    } catch (error) {
      if (damageOf(error) === undefined || isNoDatabase(error)) throw error
      // SQLite refuses a file that is shorter than its header says, unless its schema is declared writable.
      connection.unsafeMode(true)
      connection.pragma('writable_schema = ON')
      prepare(connection)
      return { connection, problem: await shortfall(copy.file, damageOf(error) as string) }
    }
  } catch (error) {
    connection.close()
    throw error
  }
}

function prepare(connection: Connection): void {
  connection.pragma('trusted_schema = OFF')
  connection.pragma('mmap_size = 0')
  connection.pragma('cell_size_check = ON')
  // The first statement that reads the file: it replays the write-ahead log or rolls back the journal.
  connection.pragma('user_version')
  connection.prepare('SELECT count(*) FROM sqlite_schema').get()
  connection.pragma('query_only = ON')
}

const HEADER_BYTES = 100

/** How much of the file is missing, by its own header. */
async function shortfall(path: string, otherwise: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(HEADER_BYTES)
    const { bytesRead } = await file.read(head, 0, HEADER_BYTES, 0)
    const { size } = await file.stat()
    const stored = head.readUInt16BE(16)
    const expected = (stored === 1 ? 65536 : stored) * head.readUInt32BE(28)
    return bytesRead < HEADER_BYTES || size >= expected
      ? otherwise
      : `the file ends after ${size} of ${expected} bytes`
  } finally {
    await file.close()
  }
}

function fault<Code extends FindingCode>(code: Code, args: EvidenceOf<Code>): ContainerFault {
  return { kind: 'fault', ...findingOf(code, args, { origin: {} }), losesRecords: false }
}
