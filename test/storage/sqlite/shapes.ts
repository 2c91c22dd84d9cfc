/** One database for every shape that the format description names, filled with the same events. */
import { join } from 'node:path'
import { citedSeqs, type SessionEvent } from '../../../src/core/event/session-event.ts'
import { encodeSources } from '../../../src/storage/sqlite/varint-sources.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { APPLICATION_ID, edit, uuid } from './databases.ts'

type Column = 'source_event_seqs' | 'surface_op' | 'ignorable' | 'is_packed'

interface Shape {
  readonly version: number
  readonly applicationId: number
  readonly sessions: string
  readonly events: string
  readonly columns: readonly Column[]
  readonly sources: 'none' | 'json' | 'varint' | 'tagged'
  readonly integerKeys?: true
  readonly state?: true
}

const PLAIN = 'session_id TEXT NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL, time INTEGER NOT NULL'
const TEXT_EVENTS = `${PLAIN}, data TEXT NOT NULL, source_event_seqs TEXT, surface_op TEXT`
const KEY = ', PRIMARY KEY (session_id, seq)'
const FIRST =
  'id TEXT PRIMARY KEY, version INTEGER NOT NULL, created_at INTEGER NOT NULL, cwd TEXT, parent_session TEXT'
const STATE = ', incarnation TEXT NOT NULL, revision INTEGER NOT NULL'
const LATE = ', seed_length INTEGER, origin TEXT, delegation_depth INTEGER'
const NUMBERED = FIRST.replace(
  'id TEXT PRIMARY KEY',
  'id INTEGER PRIMARY KEY, session_key TEXT NOT NULL UNIQUE',
)
const BINARY_EVENTS = `${PLAIN.replace('session_id TEXT', 'session_id INTEGER')}, data ANY NOT NULL, source_event_seqs ANY, surface_op TEXT`

const TEXT_SHAPE = { columns: ['source_event_seqs', 'surface_op'], sources: 'json' } as const

export const SHAPES: Readonly<Record<string, Shape>> = {
  1: {
    version: 1,
    applicationId: 0,
    sessions: `${FIRST}, updated_at INTEGER, title TEXT, first_prompt TEXT, materialized INTEGER`,
    events: `${PLAIN}, data TEXT NOT NULL${KEY}`,
    columns: [],
    sources: 'none',
  },
  '2a': { version: 2, applicationId: 0, sessions: FIRST, events: `${TEXT_EVENTS}${KEY}`, ...TEXT_SHAPE },
  '2b': {
    version: 2,
    applicationId: 0,
    sessions: FIRST,
    events: `${PLAIN}, data TEXT NOT NULL${KEY}`,
    columns: [],
    sources: 'none',
  },
  4: {
    version: 4,
    applicationId: 0,
    sessions: `${FIRST}, seed_length INTEGER`,
    events: `${TEXT_EVENTS}${KEY}`,
    ...TEXT_SHAPE,
  },
  5: {
    version: 5,
    applicationId: 0,
    sessions: `${FIRST}, seed_length INTEGER, delegation_depth INTEGER`,
    events: `${TEXT_EVENTS}${KEY}`,
    ...TEXT_SHAPE,
  },
  9: {
    version: 9,
    applicationId: 0,
    sessions: `${FIRST.replace('created_at INTEGER', 'created_at REAL')}, seed_length INTEGER, delegation_depth INTEGER${STATE}`,
    events: `${TEXT_EVENTS}${KEY}`,
    state: true,
    ...TEXT_SHAPE,
  },
  11: {
    version: 11,
    applicationId: APPLICATION_ID,
    sessions: `${FIRST}, seed_length INTEGER, delegation_depth INTEGER, sandbox_mode TEXT, approval_policy TEXT${STATE}`,
    events: `${TEXT_EVENTS}${KEY}`,
    state: true,
    ...TEXT_SHAPE,
  },
  15: {
    version: 15,
    applicationId: APPLICATION_ID,
    sessions: `${FIRST}${LATE}, agent_preset TEXT${STATE}`,
    events: `${TEXT_EVENTS}, ignorable INTEGER${KEY}`,
    columns: ['source_event_seqs', 'surface_op', 'ignorable'],
    sources: 'json',
    state: true,
  },
  19: {
    version: 19,
    applicationId: APPLICATION_ID,
    sessions: `${NUMBERED}${LATE}, agent_preset TEXT${STATE}`,
    events: `${BINARY_EVENTS}, is_packed INTEGER NOT NULL CHECK (is_packed IN (0, 1))${KEY}`,
    columns: ['source_event_seqs', 'surface_op', 'is_packed'],
    sources: 'tagged',
    integerKeys: true,
    state: true,
  },
  20: {
    version: 20,
    applicationId: APPLICATION_ID,
    sessions: `${NUMBERED}${LATE}, agent_preset TEXT${STATE}`,
    events: `${BINARY_EVENTS}, ignorable INTEGER CHECK (ignorable IS NULL OR ignorable IN (0, 1))${KEY}`,
    columns: ['source_event_seqs', 'surface_op', 'ignorable'],
    sources: 'tagged',
    integerKeys: true,
    state: true,
  },
}

/** A database of that shape with the session `s1`. */
export function shapedDatabase(name: string, events: readonly SessionEvent[]): string {
  const shape = SHAPES[name] as Shape
  const path = join(tempDir(), 'sessions.db')
  edit(path, (db) => {
    db.pragma(`application_id = ${shape.applicationId}`)
    db.pragma(`user_version = ${shape.version}`)
    if (shape.state) {
      db.exec('CREATE TABLE persistence_state (singleton INTEGER PRIMARY KEY, store_id TEXT NOT NULL) STRICT')
    }
    db.exec(`CREATE TABLE sessions (${shape.sessions}) STRICT`)
    db.exec(`CREATE TABLE events (${shape.events}) STRICT`)
    const key = shape.integerKeys ? { id: 7, session_key: 's1' } : { id: 's1' }
    const state = shape.state ? { incarnation: uuid(1), revision: 1 } : {}
    insert(db, 'sessions', { ...key, version: 0, created_at: 1_700_000_000_000, cwd: '/srv/demo', ...state })
    for (const event of events) {
      const { seq, type, time, data } = event
      const values = { session_id: key.id, seq, type, time, data: JSON.stringify(data) }
      insert(db, 'events', { ...values, ...optionalColumns(event, shape) })
    }
  })
  return path
}

function optionalColumns(event: SessionEvent, { columns, sources }: Shape): Record<string, unknown> {
  const { surfaceOp, sourceEventSeqs, ignorable } = event
  const all: Record<Column, unknown> = {
    surface_op: surfaceOp === undefined ? null : JSON.stringify(surfaceOp),
    source_event_seqs: sourceEventSeqs === undefined ? null : encoded(citedSeqs(event), sources),
    ignorable: ignorable === true ? 1 : null,
    is_packed: 0,
  }
  return Object.fromEntries(columns.map((column) => [column, all[column]]))
}

function encoded(seqs: readonly number[], sources: Shape['sources']): string | Buffer {
  if (sources === 'json') return JSON.stringify(seqs)
  const distances = encodeSources(seqs)
  return sources === 'tagged' && seqs.length > 0 ? Buffer.concat([Buffer.from([0]), distances]) : distances
}

function insert(db: import('better-sqlite3').Database, table: string, values: Record<string, unknown>): void {
  const names = Object.keys(values)
  const places = names.map(() => '?').join(', ')
  db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`).run(...Object.values(values))
}
