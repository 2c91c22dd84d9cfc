/**
 * Asks the published readers whether they open a log as a release of format 2 does, and as one of format 3. One
 * request per line on standard input (`{ "text": "the log as plain JSONL" }`), one answer per line on standard output,
 * in order: `{ "2": { "opens": true } }`, or `{ "opens": false, "why": "their words" }`. A release is asked about the
 * formats up to its own only.
 *
 * They are asked as the product asks them: rows are decoded so that a damaged tail is cut, and what a migration has
 * made is validated with the relations of the target. About a log of its own format a release says here whether the
 * rows can be decoded, and no more (`"rowsOnly": true`): the session that is made of them is part of no published package.
 */
import { createInterface } from 'node:readline'
import { createSessionFormatCatalog } from '@deepseek-ai/dsh-session-format'
import {
  releasedV0SessionFormatCodec,
  releasedV1SessionFormatCodec,
  sessionFormatV0ToV1,
} from '@deepseek-ai/dsh-session-format-v0-to-v1'
import {
  assertReleasedV2Header,
  RELEASED_V2_EVENT_TYPES,
  releasedV2SessionFormatCodec,
  restoreReleasedV2Artifact,
  sessionFormatV1ToV2,
} from '@deepseek-ai/dsh-session-format-v1-to-v2'
import {
  releasedV3SessionFormatCodec,
  restoreReleasedV3Artifact,
  sessionFormatV2ToV3,
} from '@deepseek-ai/dsh-session-format-v2-to-v3'

const FEEDBACK = ['feedback/message-put', 'feedback/message-delete']
/** Which types a release knows is said by packages that are not published (format.md §4.3). */
const KNOWN_TO_2 = new Set([...RELEASED_V2_EVENT_TYPES, ...FEEDBACK])
const KNOWN_TO_3 = new Set([
  ...RELEASED_V2_EVENT_TYPES.filter((type) => !type.startsWith('tool/code-')),
  ...FEEDBACK,
  'system/message',
  'deliverables/presented',
  'image/offload',
  'subagent/catalog',
  'tool/ptc-dispatch',
  'tool/ptc-dispatch-start',
  'workspace/changes',
])

/** @param restore - judges what a migration has made. */
const catalog = (restore) =>
  createSessionFormatCatalog({
    currentVersion: 2,
    migrations: [sessionFormatV0ToV1, sessionFormatV1ToV2],
    codecs: [releasedV0SessionFormatCodec, releasedV1SessionFormatCodec, releasedV2SessionFormatCodec],
    currentEncoder: releasedV2SessionFormatCodec,
    restoreCurrentHeader: (header) => {
      assertReleasedV2Header(header)
      return header
    },
    restoreCurrent: restore,
    restoreTransformedCurrent: restore,
  })
const second = catalog((artifact) => restoreReleasedV2Artifact(artifact, KNOWN_TO_2))
/** On the way to format 3 nothing is judged as format 2. */
const throughSecond = catalog((artifact) => artifact)

/** A collector of what a decoder or a migration hands out. */
function collector() {
  const events = []
  const context = {
    emitEvent: (event) => events.push(event),
    emitRun: (run) => events.push(...run.expand()),
  }
  return { events, context }
}

function openAsSecond(rows) {
  return restored(second, rows)
}

function restored(formats, [header, ...rows]) {
  const reader = formats.createRestore(header, { recovery: 'recoverable', validation: 'transformed' })
  for (const row of rows) reader.decodeRow(row)
  return reader.finish()
}

function openAsThird(rows) {
  const { events, context } = collector()
  if (rows[0]?.version === 3) {
    const decoder = releasedV3SessionFormatCodec.createDecoder(rows[0], 'recoverable')
    for (const row of rows.slice(1)) decoder.decodeRow(row, context)
    decoder.finish(context)
    return
  }
  const artifact = restored(throughSecond, rows)
  const header = sessionFormatV2ToV3.migrateHeader(artifact.header)
  const stage = sessionFormatV2ToV3.createStage({
    sourceHeader: artifact.header,
    targetHeader: header,
    sourceInheritedEventCount: artifact.inheritedEventCount,
    sourceKind: rows[0]?.version === 2 ? 'decoded' : 'transformed',
  })
  for (const event of artifact.events) stage.transformEvent(event, context)
  const inheritedEventCount = stage.finish(context)
  restoreReleasedV3Artifact({ header, inheritedEventCount, events }, KNOWN_TO_3)
}

/** Lines that are no JSON are rows of no kind: damage for a decoder to judge. */
function rowsOf(text) {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => {
    try {
      return JSON.parse(line)
    } catch {
      return undefined
    }
  })
}

const RELEASES = [
  { format: 2, open: openAsSecond },
  { format: 3, open: openAsThird },
]

function answerFor(text) {
  const rows = rowsOf(text)
  const answer = {}
  for (const { format, open } of RELEASES) {
    if (rows[0]?.version > format) continue
    try {
      open(structuredClone(rows))
      answer[format] = { opens: true, ...(rows[0]?.version === format ? { rowsOnly: true } : {}) }
    } catch (error) {
      answer[format] = { opens: false, why: String(error.message) }
    }
  }
  return answer
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answerFor(JSON.parse(line).text))}\n`)
}
