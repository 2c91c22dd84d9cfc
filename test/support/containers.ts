/**
 * The same log in every container, by the writers of the project, and opened as the commands open it. gzip is the one
 * container that the project reads and does not write.
 */
import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { SessionEvent, SessionHeader } from '../../src/core/event/session-event.ts'
import { judge } from '../../src/core/findings/verdict.ts'
import { classification } from '../../src/core/projections/classification.ts'
import { surfaceMessages, surfaceView } from '../../src/core/projections/surface-view.ts'
import { type TranscriptEntry, transcript } from '../../src/core/projections/transcript.ts'
import { closersAt } from '../../src/core/repair/closers.ts'
import { InputOpener } from '../../src/load/inputs/open-input.ts'
import { storedLog } from '../../src/load/reading/stored-events.ts'
import { loadLog } from '../../src/load/sessions/load-log.ts'
import { compact } from '../../src/report/json-text.ts'
import { packRows } from '../../src/storage/packed-rows/pack-rows.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { writeTextLog } from '../../src/storage/rewrite/write-text-log.ts'
import { writeDatabase } from '../../src/storage/sqlite/write-database.ts'
import { memorySource } from './memory-source.ts'
import { tempDir } from './temp-dir.ts'

export interface WholeLog {
  readonly header: SessionHeader
  readonly events: readonly SessionEvent[]
}

/** Header and events of a log in memory, packed rows expanded. */
export async function wholeLog(bytes: Buffer): Promise<WholeLog> {
  const stored = await storedLog(memorySource(bytes), DEFAULT_LIMITS)
  if (stored === undefined) throw new Error('the log of the test has no header')
  const events: SessionEvent[] = []
  for await (const event of stored.events) events.push(event)
  return { header: stored.header as unknown as SessionHeader, events }
}

type Writer = (log: WholeLog, path: string) => Promise<void>

export interface ContainerKind {
  /** Name of the file that it is stored in. */
  readonly file: string
  readonly write: Writer
}

export const TEXT_CONTAINERS = {
  plain: { file: 'log.jsonl', write: (log, path) => textLog(log, path, 'jsonl') },
  packed: { file: 'log.jsonl', write: (log, path) => textLog(log, path, 'jsonl', true) },
  zstd: { file: 'log.jsonl.zstd', write: (log, path) => textLog(log, path, 'zstd') },
  'zstd, packed': { file: 'log.jsonl.zstd', write: (log, path) => textLog(log, path, 'zstd', true) },
  gzip: { file: 'log.jsonl.gz', write: gzipped },
} as const satisfies Readonly<Record<string, ContainerKind>>

export const DATABASES = {
  'SQLite 14': { file: 'log.db', write: (log, path) => database(log, path, 14) },
  'SQLite 17': { file: 'log.db', write: (log, path) => database(log, path, 17) },
} as const satisfies Readonly<Record<string, ContainerKind>>

export const CONTAINERS = { ...TEXT_CONTAINERS, ...DATABASES }

export type ContainerName = keyof typeof CONTAINERS

/** Writes the log into a folder of its own, and says where. */
export async function written(name: ContainerName, log: WholeLog, folder = tempDir()): Promise<string> {
  const { file, write } = CONTAINERS[name]
  const path = join(folder, file)
  await write(log, path)
  return path
}

async function textLog(
  { header, events }: WholeLog,
  path: string,
  container: 'jsonl' | 'zstd',
  packed = false,
): Promise<void> {
  const file = await open(path, 'wx')
  try {
    const rows = packed ? packRows(events) : events
    await writeTextLog(file, linesOf(header, rows), container)
  } finally {
    await file.close()
  }
}

async function* linesOf(header: WholeLog['header'], rows: Iterable<unknown>): AsyncIterable<Buffer> {
  yield Buffer.from(compact(header))
  for (const row of rows) yield Buffer.from(exactJson(row))
}

/** JSON.stringify writes -0 as 0. */
export function exactJson(value: unknown): string {
  const mark = '\u0000minus zero'
  const text = JSON.stringify(value, (_key, member: unknown) => (Object.is(member, -0) ? mark : member))
  return text.replaceAll(JSON.stringify(mark), '-0')
}

async function gzipped(log: WholeLog, path: string): Promise<void> {
  const lines = [log.header, ...log.events].map((row) => `${exactJson(row)}\n`)
  writeFileSync(path, gzipSync(Buffer.from(lines.join(''))))
}

async function database({ header, events }: WholeLog, path: string, schema: 14 | 17): Promise<void> {
  let ids = 0
  const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`
  await writeDatabase(path, [{ header, events }], { schema, newId })
}

/** Header and events of a file, as they are stored. */
export async function readBack(path: string): Promise<WholeLog> {
  const opener = new InputOpener({ limits: DEFAULT_LIMITS, stdin: Readable.from([]) })
  try {
    const input = await opener.open({ name: path, path, remarks: [] })
    try {
      const stored = await storedLog(input.source, DEFAULT_LIMITS)
      if (stored === undefined) throw new Error(`${path} has no header`)
      const events: SessionEvent[] = []
      for await (const event of stored.events) events.push(event)
      return { header: stored.header as unknown as SessionHeader, events }
    } finally {
      await input.close()
    }
  } finally {
    await opener.close()
  }
}

/** Everything that resurface says about a log and that does not depend on where it is stored. */
export async function answerOf(path: string) {
  const opener = new InputOpener({ limits: DEFAULT_LIMITS, stdin: Readable.from([]) })
  try {
    const input = await opener.open({ name: path, path, remarks: [] })
    try {
      const entries: TranscriptEntry[] = []
      const events: SessionEvent[] = []
      const loaded = await loadLog(
        input.source,
        {
          surface: surfaceView(),
          messages: surfaceMessages(),
          classes: classification(),
          transcript: transcript((entry) => entries.push(entry)),
          events: { on: ({ event }) => void events.push(event), finish: () => events },
        },
        { limits: DEFAULT_LIMITS },
      )
      const { cursor, last, dialect } = loaded.end
      const findings = [...input.findings, ...loaded.findings.findings()]
      return {
        header: loaded.header,
        events,
        surface: loaded.results.surface,
        messages: loaded.results.messages,
        classes: [...loaded.results.classes.events()],
        transcript: entries,
        findings: findings.map(({ code, seq, causedBy }) => ({ code, seq, causedBy: causedBy?.code })),
        judgement: judge(loaded.findings.counts()),
        closers: closersAt(cursor, last?.event, dialect),
      }
    } finally {
      await input.close()
    }
  } finally {
    await opener.close()
  }
}
