/** One mutation per way of breaking each rule of the surface (format.md §5.1, §5.4), and near misses that keep it. */
import type { FindingCode } from '../../../src/core/findings/rules.ts'
import { type DraftLog, nextSeq, type Row, rowAt, surfaceBefore } from '../draft-log.ts'
import type { Random } from '../random.ts'
import { add, type Expected, edit, type Mutation, rowsOf, SURFACE_TYPES, user } from './mutation.ts'

const LOG_ONLY = ['turn/start', 'turn/end', 'step/end', 'tool/call', 'todo/write', 'session/end-seed']

const refused = (refusal: RegExp, code: FindingCode): Expected => ({ refusal, code })

const invalidOp = refused(/carries an invalid surfaceOp/, 'surface/op-invalid')
const invalidReplace = refused(/carries an invalid replace surfaceOp/, 'surface/replace-invalid')
const noStart = refused(/start seq \S+ not found/, 'surface/start-not-found')
const noEnd = refused(/end seq \S+ not found/, 'surface/end-not-found')
const invalidSource = refused(/must densely contain/, 'surface/sources-invalid')
const notEarlier = refused(/must reference earlier events/, 'surface/sources-not-earlier')
const incomplete = refused(/must include every shadowed/, 'surface/sources-incomplete')
const notSingle = refused(/must rewrite exactly one/, 'surface/rewrite-not-single')
const notResult = refused(/must target a current tool\/result/, 'surface/rewrite-not-result')
const changesMore = refused(/may change only content/, 'surface/rewrite-changes-more')
const opOnLogOnly = refused(/cannot carry surfaceOp/, 'surface/op-on-log-only')
const sourcesOnLogOnly = refused(/cannot carry sourceEventSeqs/, 'surface/sources-on-log-only')

const setOp = (label: string, surfaceOp: unknown, expected: Expected): Mutation =>
  edit(`surfaceOp is ${label}`, SURFACE_TYPES, expected, (row) => {
    row.surfaceOp = surfaceOp
  })

const setSources = (label: string, expected: Expected, make: (row: Row) => unknown): Mutation =>
  edit(`sourceEventSeqs ${label}`, SURFACE_TYPES, expected, (row) => {
    row.sourceEventSeqs = make(row)
  })

/** A user message that replaces the nodes at two positions of the surface. */
function replacing(
  name: string,
  expected: Expected,
  make: (nodes: readonly number[], draft: DraftLog, random: Random) => Row | undefined,
): Mutation {
  return add(name, expected, (draft, random) => {
    const marks = make(surfaceBefore(draft), draft, random)
    return marks && { type: 'user/message', data: user(), ...marks }
  })
}

const replaceOp = (start: unknown, end: unknown): Row => ({ op: 'replace', start, end })

/** A rewrite of a current result; `change` gets its copied data. */
function rewrite(name: string, expected: Expected, change: (data: Row, block: Row) => void): Mutation {
  return add(name, expected, (draft, random) => {
    const target = currentResult(draft, random)
    if (target === undefined) return undefined
    const data = structuredClone(target.data) as Row
    const [block] = (data.message as { content: [Row] }).content
    block.content = [{ type: 'text', text: 'pruned' }]
    change(data, block)
    const { seq } = target
    return { type: 'tool/result', data, surfaceOp: replaceOp(seq, seq), sourceEventSeqs: [seq] }
  })
}

function currentResult(draft: DraftLog, random: Random): Row | undefined {
  const results = surfaceBefore(draft)
    .map((seq) => rowAt(draft, seq))
    .filter(({ type }) => type === 'tool/result')
  return results.length === 0 ? undefined : random.pick(results)
}

const RULE_2_AND_3: readonly Mutation[] = [
  ...['append', null, { op: 'replace', start: 0, end: 0 }].map((op) =>
    edit(`log-only event with surfaceOp ${JSON.stringify(op)}`, LOG_ONLY, opOnLogOnly, (row) => {
      row.surfaceOp = op
    }),
  ),
  ...[[], [0], null].map((sources) =>
    edit(`log-only event with sources ${JSON.stringify(sources)}`, LOG_ONLY, sourcesOnLogOnly, (row) => {
      row.sourceEventSeqs = sources
    }),
  ),
  {
    name: 'a surface event without surfaceOp among marked ones',
    expected: refused(/requires a surfaceOp marker/, 'surface/op-missing'),
    apply(draft, random) {
      const rows = rowsOf(draft, SURFACE_TYPES)
      if (rows.length < 2) return false
      delete random.pick(rows).surfaceOp
      return true
    },
  },
  {
    name: 'no surface event has a surfaceOp',
    expected: refused(/requires a surfaceOp marker/, 'surface/unmarked-log'),
    apply(draft) {
      const rows = rowsOf(draft, SURFACE_TYPES)
      for (const row of rows) delete row.surfaceOp
      return rows.length > 0
    },
  },
]

const RULE_4_AND_5: readonly Mutation[] = [
  setOp('null', null, invalidOp),
  setOp('a list', ['append'], invalidOp),
  setOp('a number', 1, invalidOp),
  setOp('true', true, invalidOp),
  setOp('another word', 'prepend', invalidOp),
  setOp('an empty object', {}, invalidReplace),
  setOp('a replace without end', { op: 'replace', start: 0 }, invalidReplace),
  setOp('a replace with one key more', { ...replaceOp(0, 0), why: '' }, invalidReplace),
  setOp('a replace with one key more, null', { ...replaceOp(0, 0), why: null }, invalidReplace),
  setOp('another operation', { op: 'remove', start: 0, end: 0 }, invalidReplace),
  setOp('the replace of format 3', { op: 'replace', startSeq: 0, endSeq: 0 }, invalidReplace),
  setOp('a replace from -1', replaceOp(-1, 0), invalidReplace),
  setOp('a replace from 0.5', replaceOp(0.5, 1), invalidReplace),
  setOp('a replace from "0"', replaceOp('0', 0), invalidReplace),
  setOp('a replace to null', replaceOp(0, null), invalidReplace),
  setOp('a replace to 2^53', replaceOp(0, 2 ** 53), invalidReplace),
]

const RULE_6_TO_8: readonly Mutation[] = [
  replacing('replace that starts at a log-only event', noStart, (nodes, draft, random) => {
    const others = rowsOf(draft, LOG_ONLY)
    if (nodes.length === 0 || others.length === 0) return undefined
    const { seq } = random.pick(others)
    return { surfaceOp: replaceOp(seq, nodes[0]), sourceEventSeqs: [...nodes] }
  }),
  replacing('replace that starts at itself', noStart, (nodes, draft) => ({
    surfaceOp: replaceOp(nextSeq(draft), nextSeq(draft)),
    sourceEventSeqs: nodes.length === 0 ? [0] : [...nodes],
  })),
  replacing('replace that starts at a shadowed node', noStart, (nodes, draft, random) => {
    const seqs = rowsOf(draft, SURFACE_TYPES).map(({ seq }) => seq as number)
    const gone = seqs.filter((seq) => !nodes.includes(seq))
    if (gone.length === 0) return undefined
    return { surfaceOp: replaceOp(random.pick(gone), nodes[0]), sourceEventSeqs: [...nodes] }
  }),
  replacing('replace that ends at a later seq', noEnd, (nodes, draft) => {
    if (nodes.length === 0) return undefined
    return { surfaceOp: replaceOp(nodes[0], nextSeq(draft) + 3), sourceEventSeqs: [...nodes] }
  }),
  replacing('replace that ends at a shadowed node', noEnd, (nodes, draft, random) => {
    const seqs = rowsOf(draft, SURFACE_TYPES).map(({ seq }) => seq as number)
    const gone = seqs.filter((seq) => !nodes.includes(seq))
    if (gone.length === 0) return undefined
    return { surfaceOp: replaceOp(nodes[0], random.pick(gone)), sourceEventSeqs: [...nodes] }
  }),
  replacing(
    'replace whose start lies after its end',
    refused(/is after end seq/, 'surface/range-reversed'),
    (nodes, _draft, random) => {
      if (nodes.length < 2) return undefined
      const to = random.whole(0, nodes.length - 2)
      const from = random.whole(to + 1, nodes.length - 1)
      return { surfaceOp: replaceOp(nodes[from], nodes[to]), sourceEventSeqs: [...nodes] }
    },
  ),
  replacing('replace whose start is the greater number', 'opens', (nodes, _draft, random) => {
    const from = nodes.findIndex((seq, index) => seq > (nodes[index + 1] ?? Number.POSITIVE_INFINITY))
    if (from === -1) return undefined
    const to = random.whole(from + 1, nodes.length - 1)
    return { surfaceOp: replaceOp(nodes[from], nodes[to]), sourceEventSeqs: nodes.slice(from, to + 1) }
  }),
]

const RULE_9_TO_14: readonly Mutation[] = [
  ...[null, 0, '0', {}, false].map((sources) =>
    setSources(
      `is ${JSON.stringify(sources)}`,
      refused(/must be an array when present/, 'surface/sources-not-list'),
      () => sources,
    ),
  ),
  edit(
    'empty sources on a user message or a result',
    ['user/message', 'tool/result'],
    refused(/must not be empty except/, 'surface/sources-empty'),
    (row) => {
      row.sourceEventSeqs = []
      row.surfaceOp = 'append'
    },
  ),
  edit('empty sources on an assistant message', ['assistant/message'], 'opens', (row) => {
    if (row.surfaceOp === 'append') row.sourceEventSeqs = []
  }),
  ...[-1, 0.5, '0', null, true, {}, 2 ** 53, [0], [0, 1, 2], ['0', 1]].map((source) =>
    setSources(`holds ${JSON.stringify(source)}`, invalidSource, () => [source]),
  ),
  setSources(
    'holds a source twice',
    refused(/must not contain duplicates/, 'surface/sources-repeated'),
    () => [0, 0],
  ),
  setSources('holds its own seq', notEarlier, ({ seq }) => [seq]),
  setSources('holds a later seq', notEarlier, ({ seq }) => [0, (seq as number) + 1]),
  replacing('replace that does not cite a node', incomplete, (nodes, _draft, random) => {
    if (nodes.length < 2) return undefined
    const forgotten = random.pick(nodes)
    return {
      surfaceOp: replaceOp(nodes[0], nodes.at(-1)),
      sourceEventSeqs: nodes.filter((seq) => seq !== forgotten),
    }
  }),
  replacing('replace without any sources', incomplete, (nodes) =>
    nodes.length === 0 ? undefined : { surfaceOp: replaceOp(nodes[0], nodes[0]) },
  ),
  replacing('replace that cites more than it replaces', 'opens', (nodes, draft, random) => {
    if (nodes.length === 0) return undefined
    const all = Array.from({ length: nextSeq(draft) }, (_, seq) => seq)
    return { surfaceOp: replaceOp(nodes[0], nodes.at(-1)), sourceEventSeqs: random.shuffled(all) }
  }),
]

const RULE_15: readonly Mutation[] = [
  add('a rewrite of two nodes', notSingle, (draft, random) => {
    const nodes = surfaceBefore(draft)
    const target = currentResult(draft, random)
    if (target === undefined || nodes.length < 2) return undefined
    const from = Math.min(nodes.indexOf(target.seq as number), nodes.length - 2)
    const surfaceOp = replaceOp(nodes[from], nodes[from + 1])
    return { type: 'tool/result', data: structuredClone(target.data), surfaceOp, sourceEventSeqs: nodes }
  }),
  add('a rewrite of a message', notResult, (draft, random) => {
    const other = surfaceBefore(draft).find((seq) => rowAt(draft, seq).type !== 'tool/result')
    const result = currentResult(draft, random)
    if (other === undefined || result === undefined) return undefined
    const surfaceOp = replaceOp(other, other)
    return { type: 'tool/result', data: structuredClone(result.data), surfaceOp, sourceEventSeqs: [other] }
  }),
  rewrite('a rewrite of the content alone', 'opens', () => {}),
  rewrite('a rewrite with its members in another order', 'opens', (data) => {
    for (const [key, value] of Object.entries(data).toReversed()) {
      delete data[key]
      data[key] = value
    }
  }),
  rewrite('a rewrite with another turn', changesMore, (data) => {
    data.turn = 99
  }),
  rewrite('a rewrite without its step', changesMore, (data) => {
    delete data.step
  }),
  rewrite('a rewrite with one member more', changesMore, (data) => {
    data.added = null
  }),
  rewrite('a rewrite with another error', changesMore, (data) => {
    data.error = { name: 'Other', code: 'OTHER' }
  }),
  rewrite('a rewrite with another message id', changesMore, (data) => {
    ;(data.message as Row).id = 'another'
  }),
  rewrite('a rewrite with one message member more', changesMore, (data) => {
    ;(data.message as Row).added = []
  }),
  rewrite('a rewrite of another call', changesMore, (data, block) => {
    block.toolCallId = 'another'
    ;(data.message as Row).source = { kind: 'tool', callId: 'another' }
  }),
  rewrite('a rewrite with the other isError', changesMore, (_data, block) => {
    block.isError = block.isError !== true
  }),
  rewrite('a rewrite with one block member more', changesMore, (_data, block) => {
    block.added = 0
  }),
]

export const surfaceMutations: readonly Mutation[] = [
  ...RULE_2_AND_3,
  ...RULE_4_AND_5,
  ...RULE_6_TO_8,
  ...RULE_9_TO_14,
  ...RULE_15,
]
