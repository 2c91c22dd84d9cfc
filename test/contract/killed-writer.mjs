/** Appends events to the only session of a database in write-ahead mode, says so, and waits to be killed. */
import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'

const db = new Database(process.argv[2])
db.pragma('journal_mode = WAL')
db.pragma('wal_autocheckpoint = 0')
const { id } = db.prepare('SELECT id FROM sessions').get()
const columns = db
  .prepare('SELECT * FROM events LIMIT 0')
  .columns()
  .map(({ name }) => name)
const isBinary = columns.includes('ignorable')
const insert = db.prepare(
  'INSERT INTO events (session_id, seq, type, time, data, source_event_seqs, surface_op) VALUES (?, ?, ?, ?, ?, ?, ?)',
)
for (const { seq, type, time, data, sourceEventSeqs, surfaceOp } of JSON.parse(readFileSync(0, 'utf8'))) {
  const sources =
    sourceEventSeqs && (isBinary ? Buffer.from(sourceEventSeqs) : JSON.stringify(sourceEventSeqs))
  insert.run(
    id,
    seq,
    type,
    time,
    JSON.stringify(data),
    sources ?? null,
    surfaceOp ? JSON.stringify(surfaceOp) : null,
  )
}
process.stdout.write('written\n')
setInterval(() => {}, 1000)
