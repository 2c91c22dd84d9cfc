/**
 * A log in a private file, for a command of the user: of the same container as the log it was made of, and always under
 * the same name. Lines are what they are; frames and databases are made anew, so damage of their own is not in them.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { SessionHeader } from '../../core/event/session-event.ts'
import type { Container } from '../../storage/detect.ts'
import { privateFolder } from '../../storage/left-behind.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { writeTextLog } from '../../storage/rewrite/write-text-log.ts'
import { ToolError } from '../../storage/tool-error.ts'
import { storedLog } from '../reading/stored-events.ts'
import { storedLines } from '../reading/stored-lines.ts'

export interface TrialLog {
  readonly file: string
  write(source: RecordSource): Promise<void>
  remove(): Promise<void>
}

const NAMES: Readonly<Record<Container, string>> = {
  jsonl: 'log.jsonl',
  zstd: 'log.jsonl.zstd',
  gzip: 'log.jsonl.gz',
  sqlite: 'log.db',
}

export async function trialLog(container: Container, limits: ReadLimits): Promise<TrialLog> {
  const folder = await privateFolder()
  const file = join(folder.path, NAMES[container])
  const write = async (source: RecordSource): Promise<void> => {
    if (container === 'sqlite') await writeSession(file, source, limits)
    else if (container === 'gzip') {
      const plain = join(folder.path, NAMES.jsonl)
      await writeLines(plain, source, 'jsonl')
      await pipeline(createReadStream(plain), createGzip(), createWriteStream(file))
    } else await writeLines(file, source, container)
  }
  return { file, write, remove: () => folder.remove() }
}

async function writeLines(path: string, source: RecordSource, container: 'jsonl' | 'zstd'): Promise<void> {
  let isTorn = false
  async function* lines(): AsyncIterable<Buffer> {
    for await (const { line, bytes, ended } of storedLines(source)) {
      if (bytes === undefined)
        throw new ToolError('refused', `record ${line} cannot be read, so no file can be made of it`)
      isTorn = !ended
      yield bytes
    }
  }
  const file = await open(path, 'w', 0o600)
  try {
    await writeTextLog(file, lines(), container)
    if (isTorn && container === 'jsonl') await file.truncate((await file.stat()).size - 1)
  } finally {
    await file.close()
  }
}

async function writeSession(path: string, source: RecordSource, limits: ReadLimits): Promise<void> {
  const { writeDatabase } = await import('../../storage/sqlite/write-database.ts')
  const stored = await storedLog(source, limits)
  if (stored === undefined) throw new ToolError('refused', 'without its header no database can be made of it')
  await rm(path, { force: true })
  const session = { header: stored.header as unknown as SessionHeader, events: stored.events }
  await writeDatabase(path, [session], { schema: 17, newId: randomUUID })
}
