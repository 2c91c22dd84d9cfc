/**
 * Writes the events of one database into another, row by row in write-ahead mode, with a pause after each:
 * `slow-database.mjs SOURCE TARGET`. Both hold one session of one schema.
 */
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'

const [source, target] = process.argv.slice(2)
const db = new Database(target)
db.pragma('journal_mode = WAL')
db.prepare('ATTACH ? AS whole').run(source)
const insert = db.prepare('INSERT INTO main.events SELECT * FROM whole.events WHERE rowid = ?')
for (const id of db.prepare('SELECT rowid FROM whole.events ORDER BY seq').pluck().all()) {
  insert.run(id)
  await pause(20)
}
db.close()
