/**
 * The first kind of mending: lines that can be read, in an order that holds. Lines come first, then their order, for
 * both may lie after a break where DSH would drop the tail.
 */
import { dialectOf } from '../../core/dialect/dialect.ts'
import { type FindingCode, ruleOf } from '../../core/findings/rules.ts'
import { isJsonObject } from '../../core/json/json-value.ts'
import {
  type Arrangement,
  arrangeRuns,
  type ClashKind,
  MOST_BRANCHES,
  type Overlap,
  type RunPlacement,
} from '../../core/repair/arrange-runs.ts'
import { moved } from '../../core/repair/event-edits.ts'
import type { LostRange } from '../../core/repair/gaps.ts'
import { type HeaderFacts, mendHeader } from '../../core/repair/mend-header.ts'
import { haveClashes, MOST_MOVED } from '../../core/repair/place-runs.ts'
import { isInRecords } from '../../core/repair/refusals.ts'
import { type RepairStep, step } from '../../core/repair/repair-step.ts'
import { type MovedRange, SeqMap } from '../../core/repair/seq-map.ts'
import { jsonLine, type RecordSource } from '../../storage/record-source.ts'
import { ClashIndex } from '../reading/clash-index.ts'
import { applyEventEdits, applyRecordEdits, type RecordMove, type RecordSpan } from './apply-edits.ts'
import { dialectIn, type Examined } from './examine.ts'
import { mendRows } from './mend-rows.ts'
import { arrangementSteps, isRepairedBy, lineSteps } from './order-steps.ts'
import { Quarantine } from './quarantine.ts'
import type { RepairOptions } from './repair-options.ts'
import {
  factsOfRows,
  type LineMend,
  type LogFacts,
  type LostAtEnd,
  type RecordScan,
  scanRecords,
} from './scan-records.ts'
import { suggestedHeader, toldVersion } from './suggested-header.ts'

export type Ordered = { readonly kind: 'refused'; readonly reason: string } | OrderedLog

export interface OrderedLog {
  readonly kind: 'ordered'
  readonly steps: readonly RepairStep[]
  /** The log with its rows in order, gaps and all. */
  readonly source: RecordSource
  /** Branches that did not continue, as logs of their own. */
  readonly branches: readonly RecordSource[]
  /** Where events go when every gap is closed. */
  readonly kept: readonly MovedRange[]
  readonly gaps: readonly LostRange[]
  /** What is taken out at the end. */
  readonly lostAtEnd: LostAtEnd
  /** The first model that the log names. */
  readonly model: LogFacts['model']
}

/** Position of the first row; the header comes before it. */
const FIRST_ROW = 2
/** More breaks than this are no order that could be mended. */
const MOST_RUNS = 10_000

/** Whether a log has records or an order to mend at all. */
export function needsOrder({ findings, layout }: Examined): boolean {
  const isBroken = findings
    .counts()
    .some(({ code }) => isBytesOrOrder(code) || isInRecords(code) || isRepairedBy(code, 'salvage-database'))
  return isBroken || layout.cut !== undefined || layout.byteOrderMark
}

export async function putInOrder(
  source: RecordSource,
  original: Examined,
  { file, keep, like, model: given }: RepairOptions,
  quarantine: Quarantine,
): Promise<Ordered> {
  const { findings } = original
  const isHeaderless = original.header === undefined
  const isTold = !isHeaderless && !lacksVersion(original)
  const facts = await factsOfRows(source)
  const clues = { file, version: facts.version, torn: facts.torn, like: like?.header }
  const [, named = 0] = isTold ? [] : toldVersion(clues)
  const version = isTold ? undefined : Number(named)
  const dialect = version === undefined ? dialectIn(original) : dialectOf(version)
  const { id = '', createdAt = 0 } = original.header ?? {}
  const model = facts.model ?? given
  const scan = await scanRecords(source, {
    dialect,
    hasHeader: !isHeaderless,
  })
  const { header: suggested, from, missing } = suggestedHeader({ ...clues, facts: scan.facts })
  const header = isHeaderless ? suggested : undefined
  if (isHeaderless && missing.length > 0) return { kind: 'refused', reason: lostHeader(missing) }
  if (scan.runs.length > MOST_RUNS) return unproven(`it breaks more than ${MOST_RUNS} times`)

  const lineEdits = { spans: lineSpans(scan.mends), ...(header !== undefined && { header }) }
  const mended = applyRecordEdits(source, lineEdits, quarantine)
  const clashes = haveClashes(scan.runs) ? await ClashIndex.of(mended) : undefined
  const explain = async ({ run, first, expected }: Overlap): Promise<ClashKind> => {
    const index = clashes ?? (await ClashIndex.of(mended))
    return index.explain({ first, expected, firstLine: run.firstRecord, lastLine: run.lastRecord }).kind
  }
  const arrangement = await arrangeRuns(scan.runs, keep, explain, clashes?.copiesAmong(scan.runs))
  const problem = problemOf(arrangement)
  if (problem !== undefined) return unproven(problem)

  const told = { version: dialect.version, suggested }
  const headerMend = mendStoredHeader(scan, told, arrangement.gaps.length > 0)
  const headerSteps =
    header === undefined
      ? (headerMend?.steps ?? [])
      : [step('add-header', { header, from }, { finding: 'header/missing' })]
  const found = { counts: findings.counts(), findings: findings.findings() }
  const placed = arranged(mended, arrangement, quarantine)
  const inOrder =
    headerMend === undefined
      ? placed
      : applyRecordEdits(placed, { spans: lineSpans(new Map([[1, headerMend.mend]])) }, quarantine)
  const rows = await mendRows(inOrder, { dialect, sessionId: id, createdAt, model })
  const lines = new Map([...scan.mends, ...rows.mends])
  const kept = withoutSeqs(arrangement.ranges, rows.dropped)
  return {
    kind: 'ordered',
    steps: [...headerSteps, ...lineSteps(lines, found), ...arrangementSteps(arrangement)],
    source: applyRecordEdits(inOrder, { spans: rows.spans }, quarantine),
    branches: arrangement.branches.map((branch) => {
      const source = arranged(mended, branch, new Quarantine())
      return applyEventEdits(source, { names: moved(new SeqMap(branch.ranges)) }, new Quarantine())
    }),
    kept,
    gaps: gapsBetween(kept),
    lostAtEnd: scan.lostAtEnd,
    model,
  }
}

/** The ranges without single seqs, and closed up. */
function withoutSeqs(ranges: readonly MovedRange[], seqs: readonly number[]): readonly MovedRange[] {
  const without = [...seqs].toSorted((a, b) => a - b)
  const kept: MovedRange[] = []
  let next = 0
  let moved = 0
  for (const { first, end } of ranges) {
    let from = first
    const keep = (until: number): void => {
      if (until > from) kept.push({ first: from, end: until, shift: moved - from })
      moved += Math.max(0, until - from)
    }
    for (; next < without.length && (without[next] as number) < end; next++) {
      const seq = without[next] as number
      if (seq < from) continue
      keep(seq)
      from = seq + 1
    }
    keep(end)
  }
  return kept
}

/** The seqs that lie in none of the ranges, up to the last of them. */
function gapsBetween(ranges: readonly MovedRange[]): readonly LostRange[] {
  return ranges.flatMap(({ first }, index) => {
    const end = ranges[index - 1]?.end ?? 0
    return first > end ? [{ first: end, end: first }] : []
  })
}

function lostHeader(missing: readonly string[]): string {
  return `header/missing: ${missing.join(' and ')} cannot be recovered from the rest of the line or from where the log is; DSH keeps a log in PROJECT/SESSION/session.jsonl. Name another session of the same store with --like OTHER: the id is then the name of the log, if that is made like the id of OTHER`
}

function lacksVersion({ findings }: Examined): boolean {
  return findings
    .findings()
    .some(
      ({ code, args }) => code === 'format/older' || (code === 'header/invalid' && args.field === 'version'),
    )
}

/** The header with its faults mended; its line then stands for it. */
function mendStoredHeader(
  { header, facts }: RecordScan,
  told: Pick<HeaderFacts, 'version' | 'suggested'>,
  hasGaps: boolean,
): { readonly mend: LineMend; readonly steps: readonly RepairStep[] } | undefined {
  if (header === undefined || !isJsonObject(header.value)) return undefined
  // The marker may be among what is lost.
  const isSeeded = facts.isSeeded || (hasGaps ? undefined : false)
  const mended = mendHeader(header.value, { ...facts, ...told, isSeeded })
  if (mended === undefined) return undefined
  const { line, bytes } = header
  const lines = [line]
  return {
    mend: { code: 'header/invalid', lines: [jsonLine(mended.header)], lostBytes: bytes },
    steps: [step('mend-header', mended, { finding: codeRepaired(mended.fields, isSeeded), lines })],
  }
}

function codeRepaired(fields: readonly string[], isSeeded: boolean | undefined): FindingCode {
  if (!fields.every((field) => field === 'isSeeded')) return 'header/invalid'
  return isSeeded === true ? 'seed/marker-unexpected' : 'seed/marker-missing'
}

function lineSpans(mends: RecordScan['mends']): readonly RecordSpan[] {
  return [...mends]
    .toSorted(([a], [b]) => a - b)
    .map(([line, { code, lines, lostBytes }]) => ({
      first: line,
      last: line,
      change: { kind: 'replace', lines, lost: lostBytes, why: code },
    }))
}

function arranged(source: RecordSource, arrangement: Arrangement, quarantine: Quarantine): RecordSource {
  const { placements } = arrangement
  const inPlace = applyRecordEdits(source, { spans: [], moves: moves(placements) }, quarantine)
  return applyRecordEdits(inPlace, { spans: placementSpans(placements) }, quarantine)
}

/** Changes of records by the positions that they have once those out of place are moved. */
function placementSpans(placements: readonly RunPlacement[]): readonly RecordSpan[] {
  let position = FIRST_ROW
  return placements.flatMap(({ run, from, until, why, movedTo }): readonly RecordSpan[] => {
    const first = position
    const last = position + run.lastRecord - run.firstRecord
    position = last + 1
    if (movedTo !== undefined)
      return [{ first, last, change: { kind: 'number', seq: movedTo, from: run.first } }]
    if (from === run.first && until === run.first + run.rows) return []
    return [{ first, last, change: { kind: 'keep', from, until, why: why ?? 'order/seq-repeated' } }]
  })
}

/** Where runs go that come in another place: before the next one that stays. */
function moves(placements: readonly RunPlacement[]): readonly RecordMove[] {
  let before: number | undefined
  const found: RecordMove[] = []
  for (const { run, isMoved } of placements.toReversed()) {
    if (isMoved === true) found.push({ first: run.firstRecord, last: run.lastRecord, before })
    else before = run.firstRecord
  }
  return found.toReversed()
}

function problemOf({ branches, isSorted }: Arrangement): string | undefined {
  if (branches.length > MOST_BRANCHES) return `more than ${MOST_BRANCHES} branches clash in it`
  return isSorted ? undefined : `more than ${MOST_MOVED} rows of it are out of their place`
}

function unproven(why: string): Ordered {
  return { kind: 'refused', reason: `the order of the log is not proven: ${why}` }
}

function isBytesOrOrder(code: FindingCode): boolean {
  const { layer, severity } = ruleOf(code)
  return severity !== 'info' && (layer === 'bytes' || layer === 'order')
}
