/**
 * A session of a database that is still written, as a source of records. Whenever the database or a file next to it has
 * changed, a private copy is made as for any reading, and the rows after the last one are taken from it. A copy in
 * which something is wrong may have been made in the middle of a write: where that begins, the next copy has to tell, and
 * at the end the last one.
 */
import { realpath } from 'node:fs/promises'
import { sameJson } from '../../core/json/json-value.ts'
import type { ReadLimits, StoredItem, StoredRecord } from '../record-source.ts'
import { type OpenedDatabase, openCopy } from '../sqlite/open-copy.ts'
import { type Copied, fingerprints, sameCopied } from '../sqlite/private-copy.ts'
import { listSessions } from '../sqlite/sessions.ts'
import { sqliteSession } from '../sqlite/sqlite-session.ts'
import { ToolError } from '../tool-error.ts'
import { FileWatch } from './file-watch.ts'
import type { GrowingSource } from './growing-source.ts'
import { LogReplaced, OTHER_FILE, REWRITTEN, rejectMissing } from './log-replaced.ts'
import type { PollTiming } from './poll-timer.ts'

export interface GrowingSession extends GrowingSource {
  /** Whether the database held a session when it was last read, where that is certain. */
  readonly holds: (id: string) => boolean | undefined
}

export async function growingSession(
  path: string,
  sessionId: string,
  limits: ReadLimits,
  timer: PollTiming,
): Promise<GrowingSession> {
  const watch = await watchOf(path, timer)
  let hasCaughtUp = false
  let known: ReadonlySet<string> | undefined

  /** Copies until there is a sound copy, or the last one. */
  async function soundCopy(): Promise<{ database: OpenedDatabase; version: number; isLast: boolean }> {
    for (;;) {
      const { version, isComplete: isLast } = watch
      try {
        const database = await openCopy(path)
        const isSteady = database.faults.every(({ code }) => code !== 'bytes/changed-while-reading')
        if (isSteady || isLast) return { database, version, isLast }
        await database.close()
      } catch (error) {
        if (isLast || !(error instanceof ToolError)) throw error
      }
      await watch.changedSince(version)
    }
  }

  async function* items(fromLine = 1): AsyncIterable<readonly StoredItem[]> {
    let last: StoredRecord | undefined
    for (;;) {
      const { database, version, isLast } = await soundCopy()
      try {
        const { faults } = database
        known = faults.length > 0 ? undefined : new Set(listSessions(database).map(({ id }) => id))
        // Those are given with the header alone.
        if (isLast && last !== undefined && last.line > 1 && faults.length > 0) yield faults
        for await (const batch of rowsAfter(database, last?.line ?? fromLine, last, isLast)) {
          last = batch.findLast((item) => item.kind === 'record') ?? last
          yield batch
        }
      } finally {
        await database.close()
      }
      if (isLast) return
      if (fromLine === 1) hasCaughtUp = true
      await watch.changedSince(version)
    }
  }

  /** What comes after `last`, which has to be there still; up to the first fault, unless it is the last look. */
  async function* rowsAfter(
    database: OpenedDatabase,
    fromLine: number,
    last: StoredRecord | undefined,
    isLast: boolean,
  ): AsyncIterable<readonly StoredItem[]> {
    let isThere = last === undefined
    for await (const batch of sqliteSession(database, sessionId, limits).items(fromLine)) {
      const fresh: StoredItem[] = []
      for (const item of batch) {
        if (item.kind === 'fault') {
          if (!isLast) {
            yield fresh
            return
          }
          fresh.push(item)
        } else if (last !== undefined && item.line === last.line) {
          if (!isSame(item, last)) throw new LogReplaced(REWRITTEN)
          isThere = true
        } else fresh.push(item)
      }
      if (fresh.length > 0) yield fresh
    }
    if (!isThere) throw new LogReplaced(REWRITTEN)
  }

  async function* stored(): AsyncIterable<readonly StoredItem[]> {
    const database = await openCopy(path)
    try {
      yield* sqliteSession(database, sessionId, limits).items()
    } finally {
      await database.close()
    }
  }

  return { items, stored, hasCaughtUp: () => hasCaughtUp, holds: (id) => known?.has(id) }
}

async function watchOf(path: string, timer: PollTiming): Promise<FileWatch<Copied>> {
  const real = await realpath(path).catch(rejectMissing)
  const [first] = await fingerprints(real).catch(rejectMissing)
  const take = async (): Promise<Copied> => {
    const now = await fingerprints(real).catch(rejectMissing)
    if (now[0]?.device !== first?.device || now[0]?.inode !== first?.inode) throw new LogReplaced(OTHER_FILE)
    return now
  }
  return FileWatch.begin(take, sameCopied, timer)
}

function isSame({ content: a }: StoredRecord, { content: b }: StoredRecord): boolean {
  return a.kind === 'value' && b.kind === 'value' ? sameJson(a.value, b.value) : a.kind === b.kind
}
