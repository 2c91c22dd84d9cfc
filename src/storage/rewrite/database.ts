/**
 * Writes repaired sessions into a copy of their database: rows that stay are not touched, rows that go or change are
 * deleted, new ones are inserted, and columns of the session that differ from the planned header are updated, in one
 * transaction with the revision counted up (format.md §3.5). Other sessions are carried over as they are.
 */
import { isCount, isJsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { stringifyJson } from '../../core/json/stringify-json.ts'
import { copyInto } from '../file-ranges.ts'
import { rowsOf } from '../packed-rows/expand-row.ts'
import type { RecordSource } from '../record-source.ts'
import { type Connection, loadNative } from '../sqlite/load-native.ts'
import { type Copied, privateCopy, sameCopied } from '../sqlite/private-copy.ts'
import { type DatabaseShape, readSchema } from '../sqlite/schema-shape.ts'
import { changedColumns, findSession, type StoredSession } from '../sqlite/sessions.ts'
import { encodeSources } from '../sqlite/varint-sources.ts'
import type { SessionKey } from '../sqlite/walk-rows.ts'
import { ToolError } from '../tool-error.ts'
import { writeFileWhole } from '../write-file.ts'
import { lineIn } from './log-lines.ts'

export interface DatabaseRepair {
  /** The original. Never written to. */
  readonly path: string
  /** What the database was when the repair was planned. */
  readonly copied: Copied
  readonly sessions: readonly SessionRepair[]
}

export interface SessionRepair {
  readonly session: string
  /** The session as it is to be. */
  readonly planned: RecordSource
  /** Seqs of the rows that went to quarantine, once the planned session has been read. */
  readonly quarantined: () => ReadonlySet<number>
}

/** What a repair took out, as it was stored. */
export interface TakenRows {
  /** The row of the session. */
  readonly session: object
  /** Rows of events that went to quarantine, by their seq. */
  readonly events: ReadonlyMap<number, object>
}

/** @param ready - looks at the written file, and what was taken out of each session, before the file takes its name. */
export async function rewriteDatabase(
  repair: DatabaseRepair,
  output: string,
  ready: (written: string, taken: readonly TakenRows[]) => Promise<void>,
): Promise<void> {
  const native = await loadNative()
  const copy = await privateCopy(repair.path)
  try {
    // Rows that came since would be taken for rows that the repair leaves out.
    if (!sameCopied(copy.copied, repair.copied))
      throw new ToolError('refused', `${repair.path} changed while the repair was at work`)
    const connection = new native(copy.file, { fileMustExist: true })
    const taken: TakenRows[] = []
    try {
      const mode = connection.pragma('journal_mode', { simple: true })
      // All that is changed has to end up in the one file that is carried back.
      connection.pragma('journal_mode = DELETE')
      const { shape } = readSchema(connection)
      if (shape === undefined)
        throw new ToolError('refused', 'the database holds no sessions that can be changed')
      connection.exec('BEGIN IMMEDIATE')
      for (const session of repair.sessions) taken.push(await apply(connection, shape, session))
      connection.exec('COMMIT')
      if (mode === 'wal') connection.pragma('journal_mode = WAL')
    } finally {
      connection.close()
    }
    await writeFileWhole(
      output,
      (file) => copyInto(copy.file, file),
      (written) => ready(written, taken),
    )
  } finally {
    await copy.remove()
  }
}

async function apply(
  connection: Connection,
  shape: DatabaseShape,
  { session, planned, quarantined }: SessionRepair,
): Promise<TakenRows> {
  const stored = findSession({ connection, shape }, session)
  if (stored === undefined)
    throw new ToolError('refused', `the database holds no row for session ${session} any more`)
  const { key } = stored
  const row = connection.prepare('SELECT * FROM sessions WHERE id = ?').get(key) as object
  const kept = await keptRows(planned)
  const taken = new Map<number, object>()
  const select = connection.prepare('SELECT * FROM events WHERE session_id = ? AND seq = ?')
  for (const seq of quarantined()) {
    const event = select.get(key, seq)
    if (event !== undefined) taken.set(seq, binaryAsBase64(event as object))
  }
  const seqs = connection.prepare('SELECT seq FROM events WHERE session_id = ? ORDER BY seq').pluck().all(key)
  const remove = connection.prepare('DELETE FROM events WHERE session_id = ? AND seq = ?')
  let changes = 0
  for (const seq of seqs) if (!kept.has(seq)) changes += remove.run(key, seq).changes
  changes += await insertNew(connection, shape, stored, planned)
  if (changes > 0 && shape.sessionColumns.has('revision')) {
    connection.prepare('UPDATE sessions SET revision = revision + 1 WHERE id = ?').run(key)
  }
  return { session: binaryAsBase64(row), events: taken }
}

async function keptRows(planned: RecordSource): Promise<ReadonlySet<unknown>> {
  const kept = new Set<unknown>()
  for await (const items of planned.items()) {
    for (const { kind, origin } of items)
      if (kind === 'record' && origin.row !== undefined) kept.add(origin.row)
  }
  return kept
}

/**
 * Rows that the planned session has and the database has not. The header is a row of another table.
 * @returns how many rows changed.
 */
async function insertNew(
  connection: Connection,
  shape: DatabaseShape,
  { key, header }: StoredSession,
  planned: RecordSource,
): Promise<number> {
  let changes = 0
  const extra = [
    ...(shape.packedBy === 'is_packed' ? [['is_packed', '0']] : []),
    ...(shape.ignorable ? [['ignorable', '?']] : []),
  ]
  const names = extra.map(([name]) => `, ${name}`).join('')
  const values = extra.map(([, value]) => `, ${value}`).join('')
  const insert = connection.prepare(
    `INSERT INTO events (session_id, seq, type, time, data, source_event_seqs, surface_op${names})
     VALUES (?, ?, ?, ?, ?, ?, ?${values})`,
  )
  for await (const items of planned.items()) {
    for (const item of items) {
      if (item.kind !== 'record' || item.origin.row !== undefined) continue
      const value = JSON.parse(lineIn(item).toString('utf8')) as JsonValue
      if (item.line === 1) {
        const updates = changedColumns(shape, header, isJsonObject(value) ? value : {})
        changes += updateSession(connection, key, updates)
        continue
      }
      for (const row of rowsOf(value)) {
        const { seq, type, time, data, sourceEventSeqs, surfaceOp, ignorable } = row
        const op = surfaceOp === undefined ? null : stringifyJson(surfaceOp)
        if (ignorable === true && !shape.ignorable)
          throw new ToolError('refused', `event ${seq} is ignorable, which the schema cannot say`)
        const marks = shape.ignorable ? [ignorable === true ? 1 : null] : []
        changes += insert.run(
          key,
          seq,
          type,
          time,
          stringifyJson(data),
          sourcesFor(shape, sourceEventSeqs),
          op,
          ...marks,
        ).changes
      }
    }
  }
  return changes
}

function updateSession(
  connection: Connection,
  key: SessionKey,
  columns: ReadonlyMap<string, JsonValue> | undefined,
): number {
  if (columns === undefined)
    throw new ToolError(
      'refused',
      'the repaired header has members that the schema of the database cannot hold',
    )
  if (columns.size === 0) return 0
  const names = [...columns.keys()].map((column) => `${column} = ?`).join(', ')
  return connection.prepare(`UPDATE sessions SET ${names} WHERE id = ?`).run(...columns.values(), key).changes
}

function sourcesFor(shape: DatabaseShape, sources: JsonValue | undefined): string | Buffer | null {
  if (sources === undefined) return null
  if (!Array.isArray(sources) || !sources.every(isCount))
    throw new ToolError('refused', 'an event cites something that is no seq')
  if (shape.sources === 'json') return JSON.stringify(sources)
  const bytes = encodeSources(sources)
  // The tagged encoding of the newest schemas puts the way of encoding in front.
  return shape.sources === 'tagged-varint' && bytes.length > 0
    ? Buffer.concat([Buffer.from([0]), bytes])
    : bytes
}

function binaryAsBase64(row: object): object {
  const columns = Object.entries(row).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value,
  ])
  return Object.fromEntries(columns)
}
