/** A bare SELECT of all columns, with the data of every row parsed that this Node can unpack. */
import Database from 'better-sqlite3'

const database = new Database(process.argv[2], { readonly: true })
const { zstdDecompressSync } = await import('node:zlib')
let rows = 0
for (const row of database.prepare('SELECT * FROM events ORDER BY session_id, seq').iterate()) {
  const text = typeof row.data === 'string' ? row.data : zstdDecompressSync?.(row.data).toString('utf8')
  if (text !== undefined) JSON.parse(text)
  rows++
}
console.log(rows)
