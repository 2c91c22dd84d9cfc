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

export const TABLES: Readonly<Record<WritableSchema, readonly TableDefinition[]>> = {
  14: [
    STATE,
    SESSIONS,
    {
      name: 'events',
      sql: `CREATE TABLE events (
  session_id        TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  seq               INTEGER NOT NULL,
  type              TEXT NOT NULL,
  time              INTEGER NOT NULL,
  data              TEXT NOT NULL,
  source_event_seqs TEXT,
  surface_op        TEXT,
  PRIMARY KEY (session_id, seq)
) STRICT`,
    },
  ],
  17: [
    STATE,
    SESSIONS,
    {
      name: 'events',
      sql: `CREATE TABLE events (
  session_id        TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  seq               INTEGER NOT NULL,
  type              TEXT NOT NULL,
  time              INTEGER NOT NULL,
  data              ANY NOT NULL,
  source_event_seqs ANY,
  surface_op        TEXT,
  ignorable         INTEGER CHECK (ignorable IS NULL OR ignorable IN (0, 1)),
  PRIMARY KEY (session_id, seq)
) STRICT`,
    },
  ],
}

/** The definition of a table of a known schema; DSH compares definitions with white space collapsed. */
export function isDefinedAs(sql: string, definition: TableDefinition): boolean {
  return collapsed(sql) === collapsed(definition.sql)
}

function collapsed(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').trim()
}
