/** Real databases in a folder of the test's own, and what the code under test makes of them. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { SessionEvent, SessionHeader } from '../../../src/core/event/session-event.ts'
import { judge } from '../../../src/core/findings/verdict.ts'
import { surfaceView } from '../../../src/core/projections/surface-view.ts'
import { loadLog } from '../../../src/load/sessions/load-log.ts'
import { DEFAULT_LIMITS, type ReadLimits, type StoredItem } from '../../../src/storage/record-source.ts'
import { openCopy } from '../../../src/storage/sqlite/open-copy.ts'
import { sqliteSession } from '../../../src/storage/sqlite/sqlite-session.ts'
import { type SessionToWrite, writeDatabase } from '../../../src/storage/sqlite/write-database.ts'
import type { LogBuilder } from '../../support/log-builder.ts'
import { tempDir } from '../../support/temp-dir.ts'

export const APPLICATION_ID = 1146308688

export function header(id = 's1', fields: Partial<SessionHeader> = {}): SessionHeader {
  return { type: 'session', version: 0, id, createdAt: 1_700_000_000_000, delegationDepth: 0, ...fields }
}

export function session(log: LogBuilder | readonly SessionEvent[], id = 's1'): SessionToWrite {
  return { header: header(id), events: 'events' in log ? log.events() : log }
}

/** A database in a folder of its own, from the writer of the project. */
export async function written(sessions: readonly SessionToWrite[], schema: 14 | 17 = 17): Promise<string> {
  const path = join(tempDir(), 'sessions.db')
  let ids = 0
  await writeDatabase(path, sessions, { schema, newId: () => uuid(++ids) })
  return path
}

export function uuid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
}

/** Changes a database in place, or makes one. */
export function edit<Result>(path: string, change: (db: Database.Database) => Result): Result {
  const db = new Database(path)
  try {
    return change(db)
  } finally {
    db.close()
  }
}

export async function itemsOf(
  path: string,
  id = 's1',
  limits: ReadLimits = DEFAULT_LIMITS,
  fromLine?: number,
): Promise<readonly StoredItem[]> {
  const database = await openCopy(path)
  try {
    const items: StoredItem[] = []
    for await (const batch of sqliteSession(database, id, limits).items(fromLine)) items.push(...batch)
    return items
  } finally {
    await database.close()
  }
}

/** The values of the records, the header first; a problem where a row cannot be read. */
export async function valuesOf(path: string, id = 's1', limits?: ReadLimits): Promise<readonly unknown[]> {
  const values: unknown[] = []
  for (const item of await itemsOf(path, id, limits)) {
    if (item.kind !== 'record') values.push({ fault: item.code, ...item.args })
    else if (item.content.kind === 'value') values.push(item.content.value)
    else values.push(item.content)
  }
  return values
}

export async function judged(path: string, id = 's1') {
  const database = await openCopy(path)
  try {
    const source = sqliteSession(database, id, DEFAULT_LIMITS)
    const loaded = await loadLog(source, { surface: surfaceView() }, { limits: DEFAULT_LIMITS })
    return {
      header: loaded.header,
      events: loaded.end.eventCount,
      surface: loaded.results.surface.nodes.map(({ seq }) => seq),
      codes: loaded.findings.findings().map(({ code }) => code),
      findings: loaded.findings.findings(),
      judgement: judge(loaded.findings.counts()),
    }
  } finally {
    await database.close()
  }
}
