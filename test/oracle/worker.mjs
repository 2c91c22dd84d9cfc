/**
 * Asks the published DSH packages about stored logs. One request per line on standard input, one answer per line on
 * standard output, in order (`dsh-answer.ts` has the shapes). Every log gets a private root laid out as DSH lays it
 * out, and a fresh JSONL persistence service over it, so no answer can come from a cache.
 *
 * The verdict is that of the product path: `inspect()` of the service. Closers are what `inspect()` adds to the
 * stored events. Surface and messages are those of the stored events, before any closer.
 *
 * A store (`root`, `compression`) is asked whether it lists a session (`id`) and opens it. Any other request is a plain log
 * (`file`). With `stored` the same log in zstd frames is judged in its place; with `writeTo`
 * the packages write the log there in zstd frames, as the product does. With `blocks` alone, texts in base64, one zstd
 * frame is made of them, each text in blocks of its own.
 */
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { constants, createZstdCompress } from 'node:zlib'
import { Context } from '@deepseek-ai/cordis'
import {
  decodeStorageRecord,
  deriveEventMessage,
  foldSurface,
  Session,
  SessionStore,
} from '@deepseek-ai/dsh-session'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'

const LF = 10
const NO_ID = 'log'
const EVENTS_PER_FRAME = 7

const scratch = await mkdtemp(join(tmpdir(), 'resurface-oracle-worker-'))
try {
  let answered = Promise.resolve()
  for await (const line of createInterface({ input: process.stdin })) {
    const answer = answerFor(JSON.parse(line))
    answered = answered.then(async () => void process.stdout.write(`${JSON.stringify(await answer)}\n`))
  }
  await answered
} finally {
  await rm(scratch, { recursive: true, force: true })
}

async function answerFor({ file, stored, writeTo, blocks, root: store, compression, id }) {
  if (blocks !== undefined) return await frameOf(blocks)
  if (store !== undefined) return await storeAnswer(store, compression, id)
  const root = await mkdtemp(join(scratch, 'root-'))
  try {
    const bytes = await readFile(file)
    if (writeTo !== undefined) return await writeLog(root, bytes, writeTo)
    return { ...(await productAnswer(root, stored ?? file, bytes)), strict: strictAnswer(bytes) }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function frameOf(blocks) {
  const encoder = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const pieces = []
  encoder.on('data', (piece) => pieces.push(piece))
  for (const block of blocks) {
    encoder.write(Buffer.from(block, 'base64'))
    await new Promise((resolve) => encoder.flush(resolve))
  }
  encoder.end()
  await once(encoder, 'end')
  return Buffer.concat(pieces).toString('base64')
}

async function persistence(config) {
  const context = new Context()
  await context.plugin(SessionStore)
  await context.plugin(JsonlSessionPersistence, config)
  return context.sessionPersistence
}

async function storeAnswer(root, compression, id) {
  const sessionPersistence = await persistence({ root, compression })
  const listed = await sessionPersistence.list().catch(() => [])
  const inspected = await sessionPersistence.inspect(id).catch(() => undefined)
  return { isListed: JSON.stringify(listed).includes(id), opens: inspected !== undefined }
}

async function writeLog(root, bytes, target) {
  const sessionPersistence = await persistence({ root, compression: 'zstd' })
  const [header, ...rows] = bytes
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const events = rows.flatMap((row) => decodeStorageRecord(row))
  await sessionPersistence.create(header)
  for (let first = 0; first < events.length; first += EVENTS_PER_FRAME) {
    await sessionPersistence.append(header.id, events.slice(first, first + EVENTS_PER_FRAME))
  }
  await copyFile(sessionPersistence.locate(header).path, target)
  return { written: events.length }
}

async function productAnswer(root, file, bytes) {
  const compression = file.endsWith('.zstd') ? 'zstd' : 'none'
  const sessionPersistence = await persistence({ root, compression })
  const { id, path } = place(sessionPersistence, root, bytes)
  await mkdir(dirname(path), { recursive: true })
  await copyFile(file, path)
  let inspection
  try {
    inspection = await sessionPersistence.inspect(id)
  } catch (error) {
    return { accepted: false, error: String(error).replaceAll(root, '<root>') }
  }
  const { events: stored } = await sessionPersistence.readFrom(id, 0)
  const { nodes, replacements } = foldSurface(stored)
  return {
    accepted: true,
    eventCount: stored.length,
    nodes,
    replacements,
    messages: nodes.map((seq) => deriveEventMessage(stored[seq])).filter((message) => message !== null),
    closers: inspection.events.slice(stored.length),
  }
}

/** Where DSH would look for the log. A header that names no place is put anywhere: it is refused whatever the place. */
function place(sessionPersistence, root, bytes) {
  try {
    const { id, cwd } = JSON.parse(firstLine(bytes))
    if (typeof id === 'string') return { id, path: sessionPersistence.locate({ id, cwd }).path }
  } catch {}
  return { id: NO_ID, path: join(root, '_no-cwd', NO_ID, 'session.jsonl') }
}

function firstLine(bytes) {
  const end = bytes.indexOf(LF)
  return bytes.subarray(0, end === -1 ? bytes.length : end).toString('utf8')
}

/** The verdict of an in-memory session on the rows as they are, when every line is one; `null` otherwise. */
function strictAnswer(bytes) {
  const lines = bytes.toString('utf8').split('\n')
  if (lines.pop() !== '') return null
  let seed
  try {
    seed = lines.slice(1).flatMap((line) => decodeStorageRecord(JSON.parse(line)))
  } catch {
    return null
  }
  if (!seed.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))) return null
  try {
    Session.create(NO_ID, seed)
    return { accepted: true }
  } catch (error) {
    return { accepted: false, error: String(error) }
  }
}
