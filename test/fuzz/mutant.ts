/** A damaged log in some container: a function of its seed. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { Random } from '../oracle/random.ts'
import { wholeLog, written } from '../support/containers.ts'
import { framed } from '../support/frames-of-lines.ts'
import { framedAnyhow } from '../support/growing-log.ts'
import { damageBytes } from './damage-bytes.ts'
import { damageLines } from './damage-lines.ts'
import { SEED_LOGS, type SeedLog } from './seed-logs.ts'

export interface Mutant {
  readonly path: string
  /** How it came about, for a person. */
  readonly story: string
}

type Store = (log: SeedLog, folder: string, random: Random, done: string[]) => Promise<string>

export async function writeMutant(seed: string, folder: string): Promise<Mutant> {
  const random = new Random(seed)
  const log = random.pick(SEED_LOGS)
  const [container, store] = random.pick(STORES)
  const done: string[] = []
  const path = await store(log, folder, random, done)
  return { path, story: `${log.name} in ${container}: ${done.join(', ') || 'whole'}` }
}

const STORES: readonly (readonly [name: string, store: Store])[] = [
  ['plain', text('log.jsonl', async (lines) => Buffer.from(lines.map((line) => `${line}\n`).join('')))],
  ['plain', text('log.jsonl', async (lines) => Buffer.from(lines.join('\n')))],
  [
    'zstd',
    text('log.jsonl.zstd', (lines, random) =>
      framed(
        lines.map((line) => Buffer.from(line)),
        random.whole(1, 5),
      ),
    ),
  ],
  [
    'zstd, records over frames',
    text('log.jsonl.zstd', (lines, random) =>
      framedAnyhow(Buffer.from(lines.join('\n')), random.whole(20, 400)),
    ),
  ],
  [
    'gzip',
    text('log.jsonl.gz', async (lines) => gzipSync(Buffer.from(lines.map((line) => `${line}\n`).join('')))),
  ],
  ['UTF-16', text('log.jsonl', async (lines) => Buffer.from(lines.join('\n'), 'utf16le'))],
  ['an array', text('log.jsonl', async (lines) => Buffer.from(`[${lines.join(',')}]`))],
  ['an array of lines', text('log.jsonl', async (lines) => Buffer.from(`[\n${lines.join(',\n')}\n]\n`))],
  ['indented', text('log.jsonl', async (lines) => Buffer.from(lines.map(indented).join('\n')))],
  ['SQLite 14', database('SQLite 14')],
  ['SQLite 17', database('SQLite 17')],
]

/** Over many lines, where it is JSON. */
function indented(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line), null, 2)
  } catch {
    return line
  }
}

function text(name: string, bytesOf: (lines: readonly string[], random: Random) => Promise<Buffer>): Store {
  return async (log, folder, random, done) => {
    const damaged = damageLines(log.lines, random)
    const stored = damageBytes(await bytesOf(damaged.lines, random), random)
    done.push(...damaged.done, ...stored.done)
    const path = join(folder, name)
    writeFileSync(path, stored.bytes)
    return path
  }
}

const RICH = SEED_LOGS.find(({ name }) => name === 'format-0') as SeedLog

/** Only what the writer of databases takes gets into one; the damage is done to its rows and pages. */
function database(schema: 'SQLite 14' | 'SQLite 17'): Store {
  return async (log, folder, random, done) => {
    const store = async ({ lines }: SeedLog): Promise<string> =>
      written(schema, await wholeLog(Buffer.from(`${lines.join('\n')}\n`)), folder)
    const path = await store(log).catch(() => store(RICH))
    const db = new Database(path)
    try {
      for (let count = random.whole(0, 3); count > 0; count--) {
        const damage = random.pick(ROW_DAMAGES).replace('SEQ', String(random.whole(0, 12)))
        done.push(damage)
        try {
          db.exec(damage)
        } catch {
          // A rule of the schema was in the way.
        }
      }
    } finally {
      db.close()
    }
    const { bytes, done: more } = damageBytes(readFileSync(path), random)
    done.push(...more)
    writeFileSync(path, bytes)
    return path
  }
}

/** `SEQ` is some seq. */
const ROW_DAMAGES: readonly string[] = [
  'DELETE FROM events WHERE seq = SEQ',
  'DELETE FROM events WHERE seq > SEQ',
  'UPDATE events SET seq = seq + 1000 WHERE seq = SEQ',
  'UPDATE events SET seq = -seq WHERE seq = SEQ',
  `UPDATE events SET data = '{"half":' WHERE seq = SEQ`,
  `UPDATE events SET data = x'28b52ffd00' WHERE seq = SEQ`,
  `UPDATE events SET data = '"\u202e"' WHERE seq = SEQ`,
  `UPDATE events SET data = 'null' WHERE seq = SEQ`,
  `UPDATE events SET type = 'turn/start' WHERE seq = SEQ`,
  `UPDATE events SET type = 'text-chunks' WHERE seq = SEQ`,
  'UPDATE events SET time = -1 WHERE seq = SEQ',
  `UPDATE events SET surface_op = '"append"' WHERE seq = SEQ`,
  'UPDATE events SET surface_op = NULL WHERE seq = SEQ',
  `UPDATE events SET source_event_seqs = '[9999]' WHERE seq = SEQ`,
  `UPDATE events SET source_event_seqs = 'null' WHERE seq = SEQ`,
  `UPDATE events SET source_event_seqs = x'80' WHERE seq = SEQ`,
  `PRAGMA foreign_keys = OFF; UPDATE events SET session_id = 'other' WHERE seq = SEQ`,
  `PRAGMA foreign_keys = OFF; UPDATE sessions SET id = ''`,
  `PRAGMA foreign_keys = OFF; UPDATE sessions SET id = 'a\u202e#b'; UPDATE events SET session_id = 'a\u202e#b'`,
  `UPDATE sessions SET cwd = '\u202e'`,
  'UPDATE sessions SET delegation_depth = -1',
  'UPDATE sessions SET version = 4',
  'UPDATE sessions SET seed_length = 3',
  `INSERT INTO sessions SELECT 'two', version, 1, NULL, NULL, NULL, NULL, 0, NULL, 'x', 1 FROM sessions`,
  'DROP TABLE persistence_state',
  'ALTER TABLE events ADD COLUMN more TEXT',
  'PRAGMA user_version = 99',
  'PRAGMA user_version = 0',
  'PRAGMA application_id = 1',
]
