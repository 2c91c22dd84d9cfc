/** Databases: identity, schema, and pages that are damaged. */
import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { wholeLog, written } from '../../support/containers.ts'
import type { LogBuilder } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'
import { type Case, clean, mended, refused, unsupported } from '../case.ts'

const FILE = 'sessions.db'

/** A database with this log, changed afterwards. */
async function database(
  built: LogBuilder,
  change: (db: Database.Database) => void = () => {},
  schema: 'SQLite 14' | 'SQLite 17' = 'SQLite 17',
): Promise<Buffer> {
  const path = await written(schema, await wholeLog(built.bytes()))
  const db = new Database(path)
  change(db)
  db.close()
  return readFileSync(path)
}

const executed =
  (...statements: readonly string[]) =>
  (db: Database.Database): void => {
    for (const statement of statements) db.exec(statement)
  }

const extraRow = (seq: number, data: string): string =>
  `INSERT INTO events (session_id, seq, type, time, data)
   SELECT session_id, ${seq}, 'plan/mode', 1, '${data}' FROM events WHERE seq = 0`

export const cases: readonly Case[] = [
  ...(['SQLite 14', 'SQLite 17'] as const).map(
    (schema): Case => ({
      name: `database-of-${schema.toLowerCase().replace(' ', '-')}`,
      why: 'A whole log in a database of a shape that DSH has written.',
      log: () => database(base(), () => {}, schema),
      file: FILE,
      findings: [],
      ...clean,
      nearMissOf: ['database/damaged', 'database/foreign', 'database/schema'],
    }),
  ),
  {
    name: 'database-with-a-time-beyond-numbers-at-the-end',
    why: 'DSH cannot even ask for the row, so it is no crash tail: no session of the database with such a row opens.',
    log: () => database(base(), executed('UPDATE events SET time = 9007199254740993 WHERE seq = 8')),
    file: FILE,
    findings: [{ code: 'turn/open', seq: 0 }, { code: 'bytes/bad-line' }],
    ...refused,
  },
  {
    name: 'fork-without-its-parent-in-the-database',
    why: 'The table of sessions can be asked.',
    log: () => database(base().header({ parentSession: 'gone', seedLength: 9 })),
    file: FILE,
    findings: [{ code: 'fork/parent-missing' }],
    ...mended,
  },
  {
    name: 'fork-with-its-parent-in-the-database',
    why: 'The parent is one of its sessions.',
    log: () =>
      database(base().header({ parentSession: 'parent', seedLength: 9 }), (db) => {
        db.exec(`INSERT INTO sessions (id, version, created_at, incarnation, revision)
                 SELECT 'parent', version, created_at, incarnation, revision FROM sessions`)
      }),
    file: FILE,
    findings: [],
    ...clean,
    nearMissOf: ['fork/parent-missing', 'fork/parent-cycle'],
  },
  {
    name: 'parents-in-a-circle-in-the-database',
    why: 'The parent names the session as its own parent.',
    log: () =>
      database(base().header({ parentSession: 'parent' }), (db) => {
        db.exec(`INSERT INTO sessions (id, version, created_at, parent_session, incarnation, revision)
                 SELECT 'parent', version, created_at, id, incarnation, revision FROM sessions`)
      }),
    file: FILE,
    findings: [{ code: 'fork/parent-cycle' }],
    ...mended,
  },
  {
    name: 'database-without-identity',
    why: 'DSH refuses a database of schema 10 or later that does not carry its application id.',
    log: () => database(base(), executed('PRAGMA application_id = 0')),
    file: FILE,
    findings: [{ code: 'database/foreign' }],
    ...refused,
  },
  {
    name: 'database-without-identity-and-with-a-gap',
    why: 'A repair that left the identity as it is would not pass its own check.',
    log: () => database(base(), executed('PRAGMA application_id = 1; DELETE FROM events WHERE seq = 3')),
    file: FILE,
    findings: [{ code: 'database/foreign' }, { code: 'order/seq-gap', seq: 4 }],
    ...refused,
  },
  {
    name: 'database-of-an-unknown-schema',
    why: 'No build has written it; its columns are those of schema 17, so it is read.',
    log: () => database(base(), executed('PRAGMA user_version = 18')),
    file: FILE,
    findings: [{ code: 'database/schema' }],
    ...unsupported,
  },
  {
    name: 'database-with-a-table-of-its-own',
    why: 'DSH wants exactly its tables.',
    log: () => database(base(), executed('CREATE TABLE notes (text TEXT)')),
    file: FILE,
    findings: [{ code: 'database/schema' }],
    ...unsupported,
  },
  {
    name: 'database-that-ends-early',
    why: 'A copy was cut off: the file is too short, and some of its rows cannot be reached.',
    log: async () => {
      const bytes = await database(base())
      return bytes.subarray(0, bytes.length - 4096)
    },
    file: FILE,
    findings: [{ code: 'database/damaged' }, { code: 'database/damaged' }],
    ...refused,
  },
  {
    name: 'row-that-cannot-be-read-in-a-database',
    why: 'A turn end follows, so it is no crash tail.',
    log: () => database(base(), executed("UPDATE events SET data = '{' WHERE seq = 3")),
    file: FILE,
    findings: [{ code: 'bytes/bad-line' }, { code: 'order/seq-gap', seq: 4, causedBy: 'bytes/bad-line' }],
    ...refused,
  },
  {
    name: 'last-row-that-cannot-be-read-in-a-database',
    why: 'Nothing follows it: DSH deletes it on resume.',
    log: () => database(base(), executed(extraRow(9, '{'))),
    file: FILE,
    findings: [{ code: 'bytes/bad-tail-line' }],
    ...mended,
  },
  {
    name: 'gap-at-the-end-of-a-database',
    why: 'DSH deletes the valid row after it.',
    log: () => database(base(), executed(extraRow(11, '{}'))),
    file: FILE,
    findings: [
      { code: 'order/tail-break' },
      { code: 'order/rows-dropped', seq: 11, causedBy: 'order/tail-break' },
    ],
    verdict: 'findings',
    exitCode: 1,
    opens: true,
  },
  {
    name: 'later-format-in-a-database',
    why: 'No build reads another format than 0 from a database.',
    log: () => database(base(), executed('UPDATE sessions SET version = 1')),
    file: FILE,
    findings: [{ code: 'database/schema' }, { code: 'format/newer' }],
    ...unsupported,
  },
]
