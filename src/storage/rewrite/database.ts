/**
 * Writes a repaired copy of a database: the private copy is checkpointed, then the torn rows of one session are deleted
 * and its closing events inserted in one transaction (format.md §3.5). Other sessions are carried over as they are.
 */
import { copyFile } from 'node:fs/promises'
import { isCount } from '../../core/event/json-value.ts'
import type { SessionEvent } from '../../core/event/session-event.ts'
import { type Connection, loadNative } from '../sqlite/load-native.ts'
import { privateCopy } from '../sqlite/private-copy.ts'
import { type DatabaseShape, readSchema } from '../sqlite/schema-shape.ts'
import { encodeSources } from '../sqlite/varint-sources.ts'
import { ToolError } from '../tool-error.ts'
import { writeFileWhole } from '../write-file.ts'

export interface DatabaseRepair {
  /** The original. Never written to. */
  readonly path: string
  readonly session: string
  /** Seq of the first row to delete, if any is torn. */
  readonly deleteFrom: number | undefined
  readonly closers: readonly SessionEvent[]
}

/** @returns the deleted rows, one JSON object each, for the quarantine. */
export async function rewriteDatabase(
  repair: DatabaseRepair,
  output: string,
  verify: (written: string) => Promise<void>,
): Promise<readonly string[]> {
  const native = await loadNative()
  const copy = await privateCopy(repair.path)
  try {
    const connection = new native(copy.file, { fileMustExist: true })
    let deleted: readonly string[]
    try {
      connection.pragma('journal_mode = DELETE')
      const { shape } = readSchema(connection)
      if (shape === undefined)
        throw new ToolError('refused', 'the database holds no sessions that can be changed')
      deleted = connection.transaction(() => apply(connection, shape, repair)).immediate()
    } finally {
      connection.close()
    }
    await writeFileWhole(
      output,
      async () => {},
      async (temporary) => {
        await copyFile(copy.file, temporary)
        await verify(temporary)
      },
    )
    return deleted
  } finally {
    await copy.remove()
  }
}

function apply(connection: Connection, shape: DatabaseShape, repair: DatabaseRepair): readonly string[] {
  const { session, deleteFrom, closers } = repair
  const column = shape.integerKeys ? 'session_key' : 'id'
  const row = connection.prepare(`SELECT id FROM sessions WHERE ${column} = ?`).get(session) as {
    id: string | number
  }
  const key = row.id
  let deleted: readonly string[] = []
  if (deleteFrom !== undefined) {
    const rows = connection
      .prepare('SELECT * FROM events WHERE session_id = ? AND seq >= ? ORDER BY seq')
      .all(key, deleteFrom)
    deleted = rows.map((torn) => JSON.stringify(torn, binaryAsBase64))
    connection.prepare('DELETE FROM events WHERE session_id = ? AND seq >= ?').run(key, deleteFrom)
  }
  const packed = shape.packedBy === 'is_packed' ? ', is_packed' : ''
  const insert = connection.prepare(
    `INSERT INTO events (session_id, seq, type, time, data, source_event_seqs, surface_op${packed}) VALUES (?, ?, ?, ?, ?, ?, ?${packed === '' ? '' : ', 0'})`,
  )
  for (const { seq, type, time, data, sourceEventSeqs, surfaceOp } of closers) {
    const op = surfaceOp === undefined ? null : JSON.stringify(surfaceOp)
    insert.run(key, seq, type, time, JSON.stringify(data), sourcesFor(shape, sourceEventSeqs), op)
  }
  if (shape.sessionColumns.has('revision')) {
    connection.prepare('UPDATE sessions SET revision = revision + 1 WHERE id = ?').run(key)
  }
  return deleted
}

function sourcesFor(shape: DatabaseShape, sources: readonly number[] | undefined): string | Buffer | null {
  if (sources === undefined) return null
  if (!sources.every(isCount))
    throw new ToolError('refused', 'a closing event cites something that is no seq')
  if (shape.sources === 'json') return JSON.stringify(sources)
  const bytes = encodeSources(sources)
  // The tagged encoding of the newest schemas puts the way of encoding in front.
  return shape.sources === 'tagged-varint' && bytes.length > 0
    ? Buffer.concat([Buffer.from([0]), bytes])
    : bytes
}

function binaryAsBase64(_key: string, value: unknown): unknown {
  const isBuffer =
    typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'Buffer'
  return isBuffer ? { base64: Buffer.from((value as { data: number[] }).data).toString('base64') } : value
}
