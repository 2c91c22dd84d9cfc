/**
 * Faults inside one row that the log itself tells how to mend: the row comes back as it was, nothing else changes, and
 * the row as it was found is in the quarantine.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { later } from '../support/later-log.ts'
import { kindsOf, mended } from '../support/repairing.ts'
import { repair } from '../support/run-repair.ts'
import { base } from '../support/sample-logs.ts'
import { tempFile } from '../support/temp-dir.ts'

// biome-ignore lint/suspicious/noExplicitAny: a fault reaches into a row of known shape.
type Row = Record<string, any>
type Version = 0 | 2 | 3 | 4
type Change = (row: Row) => void

const VERSIONS: readonly Version[] = [0, 2, 3, 4]

function whole(version: Version): string[] {
  const built =
    version === 0
      ? base().turn((turn) => turn.user('and now?').step((step) => step.assistant('done')))
      : later(version).turn((turn) =>
          turn.step((step) => {
            step.user('list files')
            step.event('request/header', {
              header: { config: { provider: 'p', model: 'm' } },
              reason: 'initial',
            })
            step
              .assistant('', [{ id: 'c1' }])
              .call('c1')
              .result('c1', 'a.txt')
          }),
        )
  return built.text().trimEnd().split('\n')
}

interface Fault {
  readonly name: string
  readonly type: string
  readonly change: Change
  readonly versions?: readonly Version[]
}

const source = (row: Row): Row => row.data.message.source
const FAULTS: readonly Fault[] = [
  { name: 'a turn that does not say which', type: 'turn/start', change: (row) => delete row.data },
  { name: 'a step that does not say which', type: 'step/start', change: (row) => delete row.data },
  { name: 'the end of a step without data', type: 'step/end', change: (row) => delete row.data },
  { name: 'a member that no event has', type: 'tool/call', change: (row) => (row.foo = 1) },
  { name: 'a false mark', type: 'tool/call', change: (row) => (row.ignorable = false) },
  { name: 'a fractional time', type: 'tool/call', change: (row) => (row.time += 0.25) },
  { name: 'a time as text', type: 'tool/call', change: (row) => (row.time = String(row.time)) },
  { name: 'a missing type', type: 'tool/call', change: (row) => delete row.type },
  { name: 'a missing type of a step start', type: 'step/start', change: (row) => delete row.type },
  { name: 'a missing type of a step end', type: 'step/end', change: (row) => delete row.type },
  { name: 'a missing type of a turn', type: 'turn/start', change: (row) => (row.type = null) },
  { name: 'a missing type of a message', type: 'tool/result', change: (row) => delete row.type },
  { name: 'sources on a log-only event', type: 'step/end', change: (row) => (row.sourceEventSeqs = [0]) },
  { name: 'an operation on a log-only event', type: 'step/end', change: (row) => (row.surfaceOp = 'append') },
  { name: 'an empty list of sources', type: 'user/message', change: (row) => (row.sourceEventSeqs = []) },
  { name: 'a source in the future', type: 'user/message', change: (row) => (row.sourceEventSeqs = [900]) },
  { name: 'a negative source', type: 'user/message', change: (row) => (row.sourceEventSeqs = [-1]) },
  { name: 'a fractional source', type: 'user/message', change: (row) => (row.sourceEventSeqs = [0.5]) },
  {
    name: 'a source given twice',
    type: 'tool/result',
    change: (row) => row.sourceEventSeqs.push(row.sourceEventSeqs[0]),
  },
  { name: 'a missing operation', type: 'user/message', change: (row) => (row.surfaceOp = null) },
  { name: 'a missing role', type: 'tool/result', change: (row) => delete row.data.message.role },
  { name: 'a wrong role', type: 'assistant/message', change: (row) => (row.data.message.role = 'user') },
  {
    name: 'a wrong source',
    type: 'tool/result',
    change: (row) => (row.data.message.source = { kind: 'user' }),
  },
  { name: 'a missing source', type: 'tool/result', change: (row) => delete row.data.message.source },
  { name: 'a source without its call', type: 'tool/result', change: (row) => delete source(row).callId },
  {
    name: 'another call in the source',
    type: 'tool/result',
    change: (row) => (source(row).callId = 'other'),
  },
  { name: 'an answer of no model', type: 'assistant/message', change: (row) => delete source(row).model },
  {
    name: 'a request without its model',
    type: 'request/header',
    change: (row) => delete row.data.header.config.model,
  },
  {
    name: 'a request with an empty effort',
    type: 'request/header',
    change: (row) => (row.data.header.config.reasoningEffort = ''),
  },
  {
    name: 'no stream',
    type: 'assistant/message',
    change: (row) => delete row.data.stream,
    versions: [3, 4],
  },
  {
    name: 'turn and step as text',
    type: 'assistant/message',
    change: (row) => Object.assign(row.data, { turn: '1', step: '1' }),
    versions: [3, 4],
  },
  {
    name: 'the end of a turn that is not open',
    type: 'turn/end',
    change: (row) => (row.data.turn = 9),
    versions: [4],
  },
  {
    name: 'the end of a turn without a number',
    type: 'turn/end',
    change: (row) => (row.data.turn = null),
    versions: [4],
  },
  {
    name: 'a turn with a name',
    type: 'turn/start',
    change: (row) => (row.data.turn = 'first'),
    versions: [4],
  },
  {
    name: 'a step of an earlier turn',
    type: 'step/start',
    change: (row) => (row.data.turn = 0),
    versions: [4],
  },
  {
    name: 'a call in a step that is not open',
    type: 'tool/call',
    change: (row) => (row.data.step = 7),
    versions: [4],
  },
  {
    name: 'a result in no step',
    type: 'tool/result',
    change: (row) => delete row.data.step,
    versions: [4],
  },
  {
    name: 'a start under another id',
    type: 'tool/call',
    change: (row) => (row.data.callId = 'other'),
    versions: [4],
  },
  {
    name: 'a start without an id',
    type: 'tool/call',
    change: (row) => (row.data.callId = ''),
    versions: [4],
  },
  {
    name: 'a start of another tool',
    type: 'tool/call',
    change: (row) => (row.data.name = 'other'),
    versions: [4],
  },
  {
    name: 'a result of another call than the one it cites',
    type: 'tool/result',
    change: (row) => {
      source(row).callId = 'other'
      row.data.message.toolCallId = 'other'
    },
    versions: [4],
  },
  {
    name: 'an answer with sources',
    type: 'assistant/message',
    change: (row) => (row.sourceEventSeqs = [0]),
    versions: [2, 3, 4],
  },
]

describe.each(VERSIONS)('format %i', (version) => {
  const faults = FAULTS.filter(({ versions = VERSIONS }) => versions.includes(version))

  test.each(faults)('$name', async ({ type, change }) => {
    const lines = whole(version)
    const at = lines.findIndex((line) => JSON.parse(line).type === type)
    const row = JSON.parse(lines[at] as string) as Row
    change(row)
    const damaged = JSON.stringify(row)
    const { output, data, pieces, exitCode } = await mended(
      tempFile(`${lines.with(at, damaged).join('\n')}\n`),
    )
    const after = readFileSync(output, 'utf8').trimEnd().split('\n')
    expect(JSON.parse(after[at] as string)).toEqual(JSON.parse(lines[at] as string))
    expect(after.toSpliced(at, 1)).toEqual(lines.toSpliced(at, 1))
    expect(kindsOf(data)).toEqual(['mend-rows'])
    expect(pieces.map(({ text }) => text)).toEqual([damaged])
    expect(exitCode).toBe(0)
  })
})

test.each<[name: string, change: Change]>([
  ['no depth', (header) => delete header.delegationDepth],
  ['a depth that is none', (header) => (header.delegationDepth = -1)],
  ['a relative directory', (header) => (header.cwd = 'w')],
  ['a parent that is no name', (header) => (header.parentSession = 7)],
  ['a preset that is no name', (header) => (header.agentPreset = 7)],
  ['another origin', (header) => (header.origin = 'elsewhere')],
  ['a retired member', (header) => (header.sandboxMode = 'read-only')],
  ['another type', (header) => (header.type = 'log')],
  ['a fractional time', (header) => (header.createdAt += 0.5)],
  ['no time', (header) => (header.createdAt = null)],
  ['a fractional version', (header) => (header.version = 0.5)],
])('a header with %s', async (_name, change) => {
  const lines = whole(0)
  const header = JSON.parse(lines[0] as string) as Row
  change(header)
  const { output, data } = await mended(tempFile(`${lines.with(0, JSON.stringify(header)).join('\n')}\n`))
  const after = readFileSync(output, 'utf8').trimEnd().split('\n')
  expect(kindsOf(data)).toEqual(['mend-header'])
  expect(after.slice(1)).toEqual(lines.slice(1))
  const { cwd: _cwd, createdAt: _time, ...kept } = JSON.parse(lines[0] as string) as Row
  expect(JSON.parse(after[0] as string)).toMatchObject(kept)
})

test('what the log does not tell is not invented, and the plan has everything else', async () => {
  const lines = whole(0)
  const at = lines.findIndex((line) => line.includes('"user/message"'))
  const row = JSON.parse(lines[at] as string) as Row
  delete row.data.source
  const path = tempFile(`${lines.with(at, JSON.stringify(row)).join('\n')}\n`)
  const { data, exitCode } = await repair(path)
  expect(exitCode).toBe(5)
  expect(data.refused?.[0]).toContain('message/source-invalid')
})

test('a whole row after half a one is saved in any spacing', async () => {
  const lines = whole(0)
  const [half, row] = [lines[7] as string, JSON.parse(lines[8] as string) as Row]
  const spaced = JSON.stringify(row, null, 1).replaceAll('\n', ' ')
  const spliced = lines.toSpliced(7, 2, half.slice(0, 40) + spaced)
  const { output, pieces } = await mended(tempFile(`${spliced.join('\n')}\n`))
  const after = readFileSync(output, 'utf8').trimEnd().split('\n')
  expect(after.map((line) => JSON.parse(line).seq)).toEqual(lines.map((line) => JSON.parse(line).seq))
  expect(JSON.parse(after[8] as string)).toEqual(row)
  expect(pieces.map(({ text }) => text)).toEqual([half.slice(0, 40)])
})

test.each<[name: string, change: Change]>([
  ['no seq', (row) => delete row.seq0],
  ['a fractional seq', (row) => (row.seq0 += 0.5)],
  ['a seq that is one too high', (row) => row.seq0++],
  ['the name of an event', (row) => (row.type = 'assistant/chunk')],
])('a packed row with %s is put right where it is', async (_name, change) => {
  const built = base().turn((turn) =>
    turn.user('and?').step((step) => step.packed(['a', 'b', 'c']).assistant('abc')),
  )
  const lines = built.text().trimEnd().split('\n')
  const at = lines.findIndex((line) => line.includes('"text-chunks"'))
  const row = JSON.parse(lines[at] as string) as Row
  change(row)
  const { output } = await mended(tempFile(`${lines.with(at, JSON.stringify(row)).join('\n')}\n`))
  const after = readFileSync(output, 'utf8').trimEnd().split('\n')
  expect(JSON.parse(after[at] as string)).toEqual(JSON.parse(lines[at] as string))
  expect(after.toSpliced(at, 1)).toEqual(lines.toSpliced(at, 1))
})

test.each(
  ([0, 3, 4] as const).flatMap((version) =>
    (['id', 'name'] as const).map((member) => [version, member] as const),
  ),
)('format %i: a call announced without its %s has that of its start', async (version, member) => {
  const lines = whole(version)
  const at = lines.findIndex((line) => line.includes('"type":"tool-call"'))
  const row = JSON.parse(lines[at] as string) as Row
  delete row.data.message.content.find(({ type }: Row) => type === 'tool-call')[member]
  const { output } = await mended(tempFile(`${lines.with(at, JSON.stringify(row)).join('\n')}\n`))
  const after = readFileSync(output, 'utf8').trimEnd().split('\n')
  expect(after.map((line) => JSON.parse(line))).toEqual(lines.map((line) => JSON.parse(line)))
})

test('compactions under their earliest names get the names that every release reads', async () => {
  const built = base().compaction(1, 6).text().replaceAll('"compaction/', '"compact/')
  const { output } = await mended(tempFile(built))
  expect(readFileSync(output, 'utf8')).toBe(base().compaction(1, 6).text())
})

test.each<[name: string, sources: Row[string]]>([
  ['no list', null],
  ['a list of nothing that is a seq', ['x', -1]],
  ['a later event', [99]],
])('an answer of format 0 with %s as its sources cites what was streamed', async (_name, sources) => {
  const built = base().turn((turn) =>
    turn.user('and?').step((step) => {
      const first = step.nextSeq
      step.chunk('a').packed(['b', 'c'])
      step.assistant('abc', { sources: [first, first + 1, first + 2] })
    }),
  )
  const lines = built.text().trimEnd().split('\n')
  const at = lines.findLastIndex((line) => line.includes('"assistant/message"'))
  const row = JSON.parse(lines[at] as string) as Row
  const broken = lines.with(at, JSON.stringify({ ...row, sourceEventSeqs: sources }))
  const { output } = await mended(tempFile(`${broken.join('\n')}\n`))
  const after = readFileSync(output, 'utf8').trimEnd().split('\n')
  expect(after.map((line) => JSON.parse(line))).toEqual(lines.map((line) => JSON.parse(line)))
})

test('a row with a negative zero keeps everything it says', async () => {
  const lines = whole(3)
  const broken = lines.with(1, (lines[1] as string).replace('"seq":0,', '"seq":-0,'))
  const { output } = await mended(tempFile(`${broken.join('\n')}\n`))
  expect(readFileSync(output, 'utf8').trimEnd().split('\n')).toEqual(lines)
})
