/**
 * The tables of the two schemas whose definition is known to the letter, as DSH writes them: 14 of the published
 * package, 17 of the last releases with packed rows. DSH opens a database only when its definitions equal these.
 */

/** "DSHP": what a session database of schema 10 or later carries as its application id. */
export const APPLICATION_ID = 0x44534850

export type WritableSchema = 14 | 17

export interface TableDefinition {
  readonly name: string
  readonly sql: string
}

const STATE: TableDefinition = {
  name: 'persistence_state',
  sql: `CREATE TABLE persistence_state (
  singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
  store_id  TEXT NOT NULL
) STRICT`,
}

const SESSIONS: TableDefinition = {
  name: 'sessions',
  sql: `CREATE TABLE sessions (
  id               TEXT PRIMARY KEY,
  version          INTEGER NOT NULL,
  created_at       INTEGER NOT NULL,
  cwd              TEXT,
  parent_session   TEXT,
  seed_length      INTEGER,
  origin           TEXT,
  delegation_depth INTEGER,
  agent_preset     TEXT,
  incarnation      TEXT NOT NULL,
  revision         INTEGER NOT NULL
) STRICT`,
}

function eventsTable(stored: 'TEXT' | 'ANY', lastColumn = ''): TableDefinition {
  return {
    name: 'events',
    sql: `CREATE TABLE events (
  session_id        TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  seq               INTEGER NOT NULL,
  type              TEXT NOT NULL,
  time              INTEGER NOT NULL,
  data              ${stored} NOT NULL,
  source_event_seqs ${stored},
  surface_op        TEXT,${lastColumn}
  PRIMARY KEY (session_id, seq)
) STRICT`,
  }
}

const IGNORABLE = `
  ignorable         INTEGER CHECK (ignorable IS NULL OR ignorable IN (0, 1)),`

export const TABLES: Readonly<Record<WritableSchema, readonly TableDefinition[]>> = {
  14: [STATE, SESSIONS, eventsTable('TEXT')],
  17: [STATE, SESSIONS, eventsTable('ANY', IGNORABLE)],
}

/** The definition of a table of a known schema; DSH compares definitions with white space collapsed. */
export function isDefinedAs(sql: string, definition: TableDefinition): boolean {
  return collapsed(sql) === collapsed(definition.sql)
}

function collapsed(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').trim()
}
