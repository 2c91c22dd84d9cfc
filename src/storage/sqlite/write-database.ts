/**
 * Writes sessions into a fresh database, in the shape of schema 14 (every value as text) or 17 (source lists as
 * bytes, long values compressed). One row for every event; packed rows are a choice of a writer, and not made here.
 * Either the whole database is there in the end, or no file at all. What a schema cannot hold is refused, not dropped.
 */
import { open, rm } from 'node:fs/promises'
import type { SessionEvent, SessionHeader } from '../../core/event/session-event.ts'
import { isCount } from '../../core/json/json-value.ts'
import { stringifyJson } from '../../core/json/stringify-json.ts'
import { ToolError } from '../tool-error.ts'
import { writeFrame } from '../zstd/frame-writer.ts'
import { type Connection, loadNative } from './load-native.ts'
import { APPLICATION_ID, TABLES, type WritableSchema } from './schema-ddl.ts'
import { encodeSources } from './varint-sources.ts'

export interface SessionToWrite {
  readonly header: SessionHeader
  readonly events: AsyncIterable<SessionEvent> | Iterable<SessionEvent>
}

export interface WriteOptions {
  readonly schema: WritableSchema
  /** A new UUID, for the store and for every session. */
  readonly newId: () => string
}

/** @param path - must not exist. */
export async function writeDatabase(
  path: string,
  sessions: AsyncIterable<SessionToWrite> | Iterable<SessionToWrite>,
  options: WriteOptions,
): Promise<void> {
  const native = await loadNative()
  await createFile(path)
  try {
    const connection = new native(path, { fileMustExist: true })
    try {
      connection.pragma('synchronous = FULL')
      connection.pragma('foreign_keys = ON')
      connection.exec('BEGIN IMMEDIATE')
      createTables(connection, options)
      for await (const session of sessions) await writeSession(connection, session, options)
      connection.exec('COMMIT')
    } finally {
      connection.close()
    }
  } catch (error) {
    for (const part of ['', '-journal']) await rm(`${path}${part}`, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('SQLITE_CONSTRAINT')) throw error
    throw new ToolError('refused', `the schema of a session database does not allow it: ${message}`)
  }
}

async function createFile(path: string): Promise<void> {
  try {
    // DSH opens only a database that nobody but its owner may read.
    await (await open(path, 'wx', 0o600)).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new ToolError('refused', `${path} exists already`)
  }
}

function createTables(connection: Connection, { schema, newId }: WriteOptions): void {
  for (const { sql } of TABLES[schema]) connection.exec(sql)
  connection.prepare('INSERT INTO persistence_state (singleton, store_id) VALUES (1, ?)').run(newId())
  connection.pragma(`application_id = ${APPLICATION_ID}`)
  connection.pragma(`user_version = ${schema}`)
}

async function writeSession(
  connection: Connection,
  { header, events }: SessionToWrite,
  options: WriteOptions,
): Promise<void> {
  const { id, version } = header
  if (version !== 0) {
    throw new ToolError(
      'refused',
      `session ${id} has format ${version}; a database holds sessions of format 0`,
    )
  }
  if (connection.prepare('SELECT 1 FROM sessions WHERE id = ?').get(id) !== undefined) {
    throw new ToolError('refused', `two of the sessions have the id ${id}`)
  }
  connection
    .prepare('INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      id,
      version,
      header.createdAt,
      header.cwd ?? null,
      header.parentSession ?? null,
      header.seedLength ?? null,
      header.origin ?? null,
      header.delegationDepth ?? null,
      header.agentPreset ?? null,
      options.newId(),
      FIRST_REVISION,
    )
  const columns = options.schema === 14 ? 7 : 8
  const insert = connection.prepare(`INSERT INTO events VALUES (${Array(columns).fill('?').join(', ')})`)
  for await (const event of events) insert.run(id, ...(await columnsOf(event, options.schema)))
}

/** What a store counts after its first append. */
const FIRST_REVISION = 1

type Stored = string | number | Buffer | null

async function columnsOf(event: SessionEvent, schema: WritableSchema): Promise<readonly Stored[]> {
  const { seq, type, time, surfaceOp, sourceEventSeqs, ignorable } = event
  const json = stringifyJson(event.data)
  const op = surfaceOp === undefined ? null : stringifyJson(surfaceOp)
  const envelope = [seq, type, time]
  if (schema === 14) {
    if (ignorable === true) {
      throw new ToolError(
        'refused',
        `event ${seq} is ignorable, which schema 14 cannot say`,
        'Write schema 17 instead.',
      )
    }
    const sources = sourceEventSeqs === undefined ? null : JSON.stringify(sourceEventSeqs)
    return [...envelope, json, sources, op]
  }
  if (sourceEventSeqs !== undefined && !(Array.isArray(sourceEventSeqs) && sourceEventSeqs.every(isCount))) {
    throw new ToolError('refused', `event ${seq} has sources that are no seqs, which schema 17 cannot say`)
  }
  const sources = sourceEventSeqs === undefined ? null : encodeSources(sourceEventSeqs)
  return [...envelope, await compressed(json), sources, op, ignorable === true ? 1 : null]
}

const COMPRESSED_FROM_BYTES = 4096
/** Of UTF-8 for one unit of a string. */
const MOST_BYTES_PER_UNIT = 3

/** Where zstd cannot compress, the frame is no smaller, and the value stays text, which is legal. */
async function compressed(json: string): Promise<string | Buffer> {
  if (json.length * MOST_BYTES_PER_UNIT < COMPRESSED_FROM_BYTES) return json
  const content = Buffer.from(json)
  if (content.length < COMPRESSED_FROM_BYTES) return json
  const frame = await writeFrame(content)
  return frame.length < content.length ? frame : json
}
