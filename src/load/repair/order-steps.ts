/** The steps of a repair: what the scan, the arrangement and the patches amount to. */
import type { Dialect } from '../../core/dialect/dialect.ts'
import type { Finding, FindingOf } from '../../core/findings/finding.ts'
import type { AnsweringKind } from '../../core/findings/rule.ts'
import { type FindingCode, ruleOf } from '../../core/findings/rules.ts'
import type { Arrangement, RunPlacement } from '../../core/repair/arrange-runs.ts'
import type { Found } from '../../core/repair/refusals.ts'
import { type RepairStep, step } from '../../core/repair/repair-step.ts'
import { MENDED_RULE } from '../../core/repair/row-mend.ts'
import type { RowPatch } from '../../core/repair/row-patch.ts'
import type { RowPatches } from '../../core/repair/row-patches.ts'
import type { RecordScan } from './scan-records.ts'

/** One step for each kind of broken line, and one for frames that have to be written anew. */
export function lineSteps(mends: RecordScan['mends'], { counts, findings }: Found): readonly RepairStep[] {
  const steps: RepairStep[] = []
  const torn = findings.find(isTornEnd)
  const lines = [...mends].toSorted(([a], [b]) => a - b)
  const broken = lines.flatMap(([line, { code, row }]) => (row === undefined ? [[code, line] as const] : []))
  for (const [finding, lines] of grouped(broken)) {
    if (isRepairedBy(finding, 'cut-tail')) continue
    if (isRepairedBy(finding, 'remove-byte-order-mark'))
      steps.push(step('remove-byte-order-mark', {}, { finding, lines }))
    else if (isRepairedBy(finding, 'mend-lines')) steps.push(step('mend-lines', {}, { finding, lines }))
    else steps.push(step('drop-rows', { why: 'unreadable' }, { finding, lines }))
  }
  const rows = lines.flatMap(([line, { row }]) =>
    (row?.mends ?? []).map((mend) => [mend, { line, seq: row?.seq }] as const),
  )
  for (const [mend, places] of grouped(rows)) {
    const seqs = places.flatMap(({ seq }) => seq ?? [])
    const at = { lines: places.map(({ line }) => line), ...(seqs.length > 0 && { seqs }) }
    steps.push(step('mend-rows', { mend }, { finding: MENDED_RULE[mend], ...at, count: places.length }))
  }
  if (torn !== undefined) steps.push(cutStep(torn))
  const isRewritten = findings.some((one) => one.code === 'bytes/layout' && !one.args.record)
  for (const { code: finding, count } of counts) {
    const kind = WHOLE_LOG.find((kind) => isRepairedBy(finding, kind))
    // A record that is no line of its own is mended where it is.
    if (kind !== undefined && (finding !== 'bytes/layout' || isRewritten))
      steps.push(step(kind, {}, { finding, count }))
  }
  return steps
}

/** Steps that write the whole log anew. */
const WHOLE_LOG = ['salvage-database', 'rewrite-frames', 'write-lines', 'write-container'] as const

export function isRepairedBy(code: FindingCode, kind: AnsweringKind): boolean {
  return ruleOf(code).repairs?.includes(kind) === true
}

type TornEnd = FindingOf<'bytes/torn-tail'> | FindingOf<'bytes/torn-frame'>

function isTornEnd(finding: Finding): finding is TornEnd {
  return finding.code === 'bytes/torn-tail' || finding.code === 'bytes/torn-frame'
}

function cutStep({ code: finding, origin, args }: TornEnd): RepairStep {
  const { byteOffset, line } = origin
  const keepsRecords = finding === 'bytes/torn-frame' && args.records !== 0
  const cut = {
    bytes: args.bytes,
    keepsRecords,
    ...(byteOffset !== undefined && { byteOffset }),
  }
  return step('cut-tail', cut, { finding, ...(line !== undefined && { lines: [line] }) })
}

export function arrangementSteps({ placements }: Arrangement): readonly RepairStep[] {
  const steps: RepairStep[] = []
  const sorted = placements.filter(({ isMoved }) => isMoved === true)
  if (sorted.length > 0) {
    const seqs = sorted.map(({ run }) => run.first ?? 0)
    const count = sorted.reduce((sum, { run }) => sum + run.rows, 0)
    steps.push(step('sort-rows', {}, { finding: 'order/seq-gap', seqs, count }))
  }
  for (const placement of placements) {
    const { movedTo, why } = placement
    if (movedTo !== undefined) {
      steps.push(step('move-rows', { seq: movedTo }, { finding: codeOf(placement), seqs: [movedTo] }))
    } else if (why !== undefined) steps.push(dropStep(placement, why))
  }
  return steps
}

function dropStep(placement: RunPlacement, why: NonNullable<RunPlacement['why']>): RepairStep {
  const { run, from, until } = placement
  const first = run.first ?? 0
  const dropped = run.rows - (until - from)
  const seqs =
    from === until
      ? [first, first + run.rows - 1]
      : until < first + run.rows
        ? [until, first + run.rows - 1]
        : [first, from - 1]
  const places = {
    finding: codeOf(placement),
    ...(run.first !== undefined && { seqs }),
    count: dropped,
  }
  return why === 'two-writers' ? step('drop-branch', { why }, places) : step('drop-rows', { why }, places)
}

function codeOf({ run }: RunPlacement): FindingCode {
  return run.first === undefined ? 'order/seq-invalid' : 'order/seq-repeated'
}

export function patchSteps(patches: RowPatches, dialect: Dialect): readonly RepairStep[] {
  const groups = new Map<string, { readonly patch: RowPatch; readonly seqs: number[] }>()
  for (const seq of Float64Array.from(patches.keys()).sort())
    for (const patch of patches.get(seq) ?? []) {
      const key = keyOf(patch)
      const known = groups.get(key)
      if (known === undefined) groups.set(key, { patch, seqs: [seq] })
      else known.seqs.push(seq)
    }
  return [...groups.values()].map(({ patch, seqs }) => patchStep(patch, seqs, dialect))
}

function keyOf(patch: RowPatch): string {
  if (patch.kind === 'message-id') return `${patch.kind} ${patch.problem}`
  return patch.kind === 'call-blocks' ? `${patch.kind} ${givenTo(patch.blocks).join(' ')}` : patch.kind
}

function givenTo(blocks: Extract<RowPatch, { kind: 'call-blocks' }>['blocks']): readonly string[] {
  return [...new Set([...blocks.values()].flatMap((members) => Object.keys(members)))].toSorted()
}

function patchStep(patch: RowPatch, seqs: readonly number[], { relations }: Dialect): RepairStep {
  switch (patch.kind) {
    case 'surface':
      return step('mend-surface', {}, { finding: 'surface/replace-invalid', seqs })
    case 'result-note':
      return step(
        'note-results',
        {},
        { finding: relations ? 'relation/result-without-call' : 'pair/call-missing', seqs },
      )
    case 'ignorable':
      return step('mark-ignorable', {}, { finding: 'vocabulary/unknown-type', seqs })
    case 'inbox':
      return step('fit-inbox', {}, { finding: 'inbox/out-of-range', seqs })
    case 'message-id': {
      const finding = patch.problem === 'missing' ? 'message/id-missing' : 'message/id-repeated'
      return step('set-identities', { patch: patch.kind }, { finding, seqs })
    }
    case 'call-blocks': {
      const args = { patch: patch.kind, members: givenTo(patch.blocks) }
      return step('set-identities', args, { finding: 'pair/id-empty', seqs })
    }
    default:
      return step('set-identities', { patch: patch.kind }, { finding: 'pair/id-empty', seqs })
  }
}

/** Places by what they have in common, in the order in which the kinds first occur. */
function grouped<Kind, Place>(
  places: readonly (readonly [Kind, Place])[],
): ReadonlyMap<Kind, readonly Place[]> {
  const groups = new Map<Kind, Place[]>()
  for (const [kind, place] of places) {
    const known = groups.get(kind)
    if (known === undefined) groups.set(kind, [place])
    else known.push(place)
  }
  return groups
}
