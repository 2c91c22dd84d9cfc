/**
 * Writes a repaired session into a copy of its database: rows that stay are not touched, rows that go or change are
 * deleted, and new ones inserted, in one transaction with the revision counted up (format.md §3.5). Other sessions are
 * carried over as they are.
 */
import { isCount, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value.ts'
import { stringifyJson } from '../../core/json/stringify-json.ts'
import { copyInto } from '../file-ranges.ts'
import { expandRow } from '../packed-rows/expand-row.ts'
import type { RecordSource } from '../record-source.ts'
import { type Connection, loadNative } from '../sqlite/load-native.ts'
import { type Copied, privateCopy, sameCopied } from '../sqlite/private-copy.ts'
import { type DatabaseShape, readSchema } from '../sqlite/schema-shape.ts'
import { encodeSources } from '../sqlite/varint-sources.ts'
import { ToolError } from '../tool-error.ts'
import { writeFileWhole } from '../write-file.ts'
import { lineIn } from './log-lines.ts'

export interface DatabaseRepair {
  /** The original. Never written to. */
  readonly path: string
  readonly session: string
  /** What the database was when the repair was planned. */
  readonly copied: Copied
  /** The session as it is to be. */
  readonly planned: RecordSource
  /** Seqs of the rows that went to quarantine, once the planned session has been read. */
  readonly quarantined: () => ReadonlySet<number>
}

/**
 * @param ready - looks at the written file before it takes its name, and is given the rows that went to quarantine as
 *   they were stored, by their seq.
 */
export async function rewriteDatabase(
  repair: DatabaseRepair,
  output: string,
  ready: (written: string, taken: ReadonlyMap<number, object>) => Promise<void>,
): Promise<void> {
  const native = await loadNative()
  const copy = await privateCopy(repair.path)
  try {
    // Rows that came since would be taken for rows that the repair leaves out.
    if (!sameCopied(copy.copied, repair.copied))
      throw new ToolError('refused', `${repair.path} changed while the repair was at work`)
    const connection = new native(copy.file, { fileMustExist: true })
    let taken: ReadonlyMap<number, object>
    try {
      const mode = connection.pragma('journal_mode', { simple: true })
      // All that is changed has to end up in the one file that is carried back.
      connection.pragma('journal_mode = DELETE')
      const { shape } = readSchema(connection)
      if (shape === undefined)
        throw new ToolError('refused', 'the database holds no sessions that can be changed')
      connection.exec('BEGIN IMMEDIATE')
      taken = await apply(connection, shape, repair)
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
  { session, planned, quarantined }: DatabaseRepair,
): Promise<ReadonlyMap<number, object>> {
  const column = shape.integerKeys ? 'session_key' : 'id'
  const { id: key } = connection.prepare(`SELECT id FROM sessions WHERE ${column} = ?`).get(session) as {
    id: string | number
  }
  const kept = await keptRows(planned)
  const taken = new Map<number, object>()
  const select = connection.prepare('SELECT * FROM events WHERE session_id = ? AND seq = ?')
  for (const seq of quarantined()) {
    const row = select.get(key, seq)
    if (row !== undefined) taken.set(seq, binaryAsBase64(row as object))
  }
  const seqs = connection.prepare('SELECT seq FROM events WHERE session_id = ? ORDER BY seq').pluck().all(key)
  const remove = connection.prepare('DELETE FROM events WHERE session_id = ? AND seq = ?')
  let changes = 0
  for (const seq of seqs) if (!kept.has(seq)) changes += remove.run(key, seq).changes
  changes += await insertNew(connection, shape, key, planned)
  if (changes > 0 && shape.sessionColumns.has('revision')) {
    connection.prepare('UPDATE sessions SET revision = revision + 1 WHERE id = ?').run(key)
  }
  return taken
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
 * Rows that the planned session has and the database has not. The header is a row of another table; all that a repair
 * changes of it is the length of the inherited part. @returns how many rows changed.
 */
async function insertNew(
  connection: Connection,
  shape: DatabaseShape,
  key: string | number,
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
        changes += setSeedLength(connection, shape, key, value)
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

function setSeedLength(
  connection: Connection,
  shape: DatabaseShape,
  key: string | number,
  header: JsonValue,
): number {
  const seedLength = isJsonObject(header) ? header.seedLength : undefined
  if (seedLength === undefined || !shape.sessionColumns.has('seed_length')) return 0
  const update = connection.prepare('UPDATE sessions SET seed_length = ? WHERE id = ? AND seed_length <> ?')
  return update.run(seedLength, key, seedLength).changes
}

function rowsOf(value: JsonValue): readonly JsonObject[] {
  const expanded = expandRow(value)
  return expanded.kind === 'row' ? expanded.rows.filter(isJsonObject) : []
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
