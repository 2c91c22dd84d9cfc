/**
 * Flips every bit of a small log in every container, cuts it off at every byte, and says how much of it is noticed. A
 * change is noticed when the log cannot be opened, or gives a finding that the whole log does not give. That an event
 * reads differently is no notice. Run it with `node test/bench/detection-rate.mjs`; a number is the stride through the
 * bits of the databases (7 without it).
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const sources = await createServer({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  appType: 'custom',
  server: { middlewareMode: true, watch: null, ws: false },
  optimizeDeps: { noDiscovery: true },
})
const source = (path) => sources.ssrLoadModule(`/src/${path}`)
const { loadLog } = await source('load/sessions/load-log.ts')
const { InputOpener } = await source('load/inputs/open-input.ts')
const { DEFAULT_LIMITS } = await source('storage/record-source.ts')
const { loadNative } = await source('storage/sqlite/load-native.ts')
const { writeDatabase } = await source('storage/sqlite/write-database.ts')
const { ToolError } = await source('storage/tool-error.ts')
const { writeTextLog } = await source('storage/rewrite/write-text-log.ts')

/** A check of a log of this size takes milliseconds; one that takes this long hangs. */
const HANG_MS = 2000
const SMALLEST_PAGE = 512

const folder = mkdtempSync(join(tmpdir(), 'resurface-bench-'))
try {
  await run(Number(process.argv[2] ?? 7))
} finally {
  rmSync(folder, { recursive: true, force: true })
  await sources.close()
}

async function run(stride) {
  const { header, events } = sampleLog()
  const rows = []
  for (const [name, container] of [
    ['plain JSONL', 'jsonl'],
    ['zstd', 'zstd'],
  ]) {
    const path = join(folder, `whole.${container}`)
    const file = await open(path, 'wx')
    await writeTextLog(file, lines([header, ...events]), container)
    await file.close()
    rows.push(await rateOf(name, path, 1))
  }
  const native = await loadNative().catch((error) => {
    console.error(`databases are left out: ${error.message}`)
  })
  for (const schema of native === undefined ? [] : [14, 17]) {
    const path = join(folder, `whole-${schema}.db`)
    let ids = 0
    const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`
    await writeDatabase(path, [{ header, events }], { schema, newId })
    const db = new native(path)
    db.pragma(`page_size = ${SMALLEST_PAGE}`)
    db.exec('VACUUM')
    db.close()
    rows.push(await rateOf(`SQLite ${schema}`, path, stride))
  }
  console.table(rows)
  const broken = rows.some((row) => row.crashes > 0 || row.hangs > 0)
  process.exitCode = broken ? 1 : 0
}

/** About 4 KB of a session: turns with a tool call each. */
function sampleLog() {
  const header = {
    type: 'session',
    version: 0,
    id: 's-1',
    createdAt: 1700000000000,
    cwd: '/w',
    delegationDepth: 0,
  }
  const events = []
  const add = (type, data, more = {}) => {
    const seq = events.length
    events.push({ type, seq, time: 1700000000000 + seq * 7, data, ...more })
    return seq
  }
  const append = { surfaceOp: 'append' }
  for (let turn = 1; turn <= 3; turn++) {
    const callId = `call_${turn}`
    const place = { turn, step: 1 }
    add('turn/start', { turn })
    const said = [{ type: 'text', text: `Please list the files of part ${turn}.` }]
    add('user/message', { id: `u${turn}`, role: 'user', source: { kind: 'user' }, content: said }, append)
    add('step/start', place)
    const content = [{ type: 'tool-call', id: callId, name: 'bash', arguments: '{"command":"ls"}' }]
    const source = { kind: 'model', provider: 'p', model: 'm' }
    add(
      'assistant/message',
      { ...place, message: { id: `a${turn}`, role: 'assistant', source, content } },
      append,
    )
    const call = add('tool/call', { ...place, callId, name: 'bash', arguments: '{"command":"ls"}' })
    const result = [
      { type: 'tool-result', toolCallId: callId, content: [{ type: 'text', text: 'a.txt b.txt' }] },
    ]
    const message = { id: `r${turn}`, role: 'user', source: { kind: 'tool', callId }, content: result }
    add('tool/result', { ...place, message }, { ...append, sourceEventSeqs: [call] })
    add('step/end', place)
    add('turn/end', { turn, reason: { kind: 'completed' } })
  }
  return { header, events }
}

async function* lines(rows) {
  for (const event of rows) yield Buffer.from(JSON.stringify(event))
}

async function rateOf(container, whole, stride) {
  const bytes = readFileSync(whole)
  const path = join(folder, 'changed')
  writeFileSync(path, bytes)
  const before = await look(path)
  const flips = { bits: 0, noticed: 0, 'read differently': 0, 'without effect': 0 }
  const cuts = { cuts: 0, reported: 0 }
  let crashes = 0
  let hangs = 0

  async function noticed(changed, what) {
    writeFileSync(path, changed)
    const started = performance.now()
    const after = await look(path)
    if (performance.now() - started > HANG_MS) hangs++
    if (after.crash !== undefined) {
      crashes++
      console.error(`${container}, ${what}:`, after.crash)
      return 'crash'
    }
    if (after.failed || [...after.findings].some((finding) => !before.findings.has(finding))) return 'noticed'
    return after.digest === before.digest ? 'without effect' : 'read differently'
  }

  for (let bit = 0; bit < bytes.length * 8; bit += stride) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3] ^= 1 << (bit & 7)
    flips.bits++
    const outcome = await noticed(flipped, `bit ${bit}`)
    if (outcome !== 'crash') flips[outcome]++
  }
  for (let end = 0; end < bytes.length; end++) {
    cuts.cuts++
    if ((await noticed(bytes.subarray(0, end), `cut at ${end}`)) === 'noticed') cuts.reported++
  }
  const rate = `${((100 * flips.noticed) / flips.bits).toFixed(2)} %`
  return { container, bytes: bytes.length, stride, rate, ...flips, ...cuts, crashes, hangs }
}

/** What is found in a log, and what its events are. */
async function look(path) {
  const opener = new InputOpener({ limits: DEFAULT_LIMITS, stdin: Readable.from([]) })
  try {
    const [named] = await opener.expand({ name: path, path, remarks: [] })
    const input = await opener.open(named)
    const { findings, results } = await loadLog(
      input.source,
      { digest: digest() },
      { limits: DEFAULT_LIMITS },
    )
    await input.close()
    return {
      findings: new Set(findings.findings().map(({ code, seq, origin }) => `${code} ${seq} ${origin.line}`)),
      digest: results.digest,
    }
  } catch (error) {
    return error instanceof ToolError ? { failed: true } : { crash: error }
  } finally {
    await opener.close()
  }
}

function digest() {
  const hash = createHash('sha256')
  return {
    on: ({ event }) => void hash.update(`${JSON.stringify(event)}\n`),
    finish: ({ header }) => hash.update(JSON.stringify(header ?? null)).digest('hex'),
  }
}
