/**
 * The sessions of a database, from the table of sessions alone, and the header line that a row of it stands for.
 * Columns that a schema does not have, or that are null, are left out as a JSONL header leaves them out; the policy
 * columns of schemas 11 and the time zone of a branch are no part of a header.
 */
import type { JsonObject, JsonValue } from '../../core/json/json-value.ts'
import type { OpenedDatabase } from './open-copy.ts'
import { type FoundRow, reachableRows } from './salvage-rows.ts'
import type { DatabaseShape } from './schema-shape.ts'
import { damageOf } from './sqlite-damage.ts'
import type { SessionKey } from './walk-rows.ts'

export interface StoredSession {
  readonly id: string
  /** What the events table calls the session. */
  readonly key: SessionKey
  /** In the shape of a header line of format 0. */
  readonly header: JsonObject
}

type SessionTable = Pick<OpenedDatabase, 'connection' | 'shape'>

/** A copy that is open does not change, so its table is read once. */
const listed = new WeakMap<SessionTable, readonly StoredSession[]>()

/** In the order in which they were created; those that can be reached when the table is damaged. */
export function listSessions(database: SessionTable): readonly StoredSession[] {
  const sessions = listed.get(database) ?? readSessions(database)
  listed.set(database, sessions)
  return sessions
}

function readSessions(database: SessionTable): readonly StoredSession[] {
  const { connection, shape } = database
  if (shape === undefined) return []
  const columns = columnsFor(shape)
  try {
    return sessionsOf(
      connection.prepare(`SELECT rowid AS rowid, ${columns} FROM sessions ORDER BY rowid`).all(),
      shape,
    )
  } catch (error) {
    if (damageOf(error) === undefined) throw error
    return sessionsOf(reachableRows(connection, 'sessions', columns), shape)
  }
}

/** Absent when no such session is stored, or its row cannot be reached. */
export function findSession(database: SessionTable, id: string): StoredSession | undefined {
  const { connection, shape } = database
  if (shape === undefined) return undefined
  const column = shape.integerKeys ? 'session_key' : 'id'
  try {
    const query = `SELECT rowid AS rowid, ${columnsFor(shape)} FROM sessions WHERE ${column} = ?`
    return sessionsOf(connection.prepare(query).all(id), shape)[0]
  } catch (error) {
    if (damageOf(error) === undefined) throw error
    return listSessions(database).find((session) => session.id === id)
  }
}

/** Column of the table → member of the header, in the order in which DSH writes a header. */
const FIELDS: readonly (readonly [column: string, field: string])[] = [
  ['version', 'version'],
  ['created_at', 'createdAt'],
  ['cwd', 'cwd'],
  ['parent_session', 'parentSession'],
  ['seed_length', 'seedLength'],
  ['delegation_depth', 'delegationDepth'],
  ['origin', 'origin'],
  ['agent_preset', 'agentPreset'],
]

interface SessionRow extends FoundRow {
  readonly key: unknown
  readonly id: unknown
  readonly [column: string]: unknown
}

/**
 * The columns that have to change for a row to read as another header.
 * @returns nothing when a member has no column in this schema; the id is the name of the session, and stays.
 */
export function changedColumns(
  { sessionColumns }: DatabaseShape,
  stored: JsonObject,
  header: JsonObject,
): ReadonlyMap<string, JsonValue> | undefined {
  const changed = new Map<string, JsonValue>()
  for (const field of Object.keys({ ...stored, ...header })) {
    if (header[field] === stored[field]) continue
    const [column] = FIELDS.find((known) => known[1] === field) ?? []
    if (column === undefined || !sessionColumns.has(column)) return undefined
    changed.set(column, header[field] ?? null)
  }
  return changed
}

function columnsFor({ integerKeys, sessionColumns }: DatabaseShape): string {
  const fields = FIELDS.filter(([column]) => sessionColumns.has(column)).map(([column]) => column)
  return ['id AS key', `${integerKeys ? 'session_key' : 'id'} AS id`, ...fields].join(', ')
}

function sessionsOf(rows: readonly unknown[], shape: DatabaseShape): readonly StoredSession[] {
  const sessions: StoredSession[] = []
  for (const row of rows as readonly SessionRow[]) {
    const { key, id } = row
    const keyed = shape.integerKeys ? typeof key === 'number' : typeof key === 'string'
    if (keyed && typeof id === 'string')
      sessions.push({ id, key: key as SessionKey, header: headerOf(row, id) })
  }
  return sessions
}

function headerOf(row: SessionRow, id: string): JsonObject {
  const header: Record<string, JsonValue> = { type: 'session', id, delegationDepth: 0 }
  for (const [column, field] of FIELDS) {
    const stored = row[column]
    if (typeof stored === 'string' || typeof stored === 'number') header[field] = stored
  }
  const { type, version, id: name, createdAt, ...rest } = header
  return { type, version, id: name, createdAt, ...rest } as JsonObject
}
