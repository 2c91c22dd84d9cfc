/**
 * Runs the statements on standard input with the real DuckDB, in the folder that it is started in, and prints the rows of
 * the last one as JSON. Views and tables stay for the next run.
 */
import { text } from 'node:stream/consumers'
import { DuckDBInstance } from '@duckdb/node-api'

const connection = await (await DuckDBInstance.create('fleet.duckdb')).connect()
let rows = []
for (const statement of (await text(process.stdin)).split(/;\s*$/m)) {
  if (statement.trim() === '') continue
  rows = (await connection.runAndReadAll(statement)).getRowObjectsJson()
}
process.stdout.write(JSON.stringify(rows))
