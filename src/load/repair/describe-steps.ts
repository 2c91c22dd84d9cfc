/** The steps of a repair in words: what the survey, the arrangement and the patches amount to. */
import type { Finding, FindingOf } from '../../core/findings/finding.ts'
import { type FindingCode, ruleOf } from '../../core/findings/rules.ts'
import type { Arrangement, ClashKind, RunFate } from '../../core/repair/arrange-runs.ts'
import type { Found } from '../../core/repair/refusals.ts'
import { type RepairKind, type RepairStep, step } from '../../core/repair/repair-step.ts'
import type { MessageIdPatch, RowPatch } from '../../core/repair/row-patch.ts'
import type { RowPatches } from '../../core/repair/row-patches.ts'
import type { Survey } from './survey.ts'

/** One step for each kind of broken line, and one for frames that have to be written anew. */
export function mendSteps({ mends }: Survey, { counts, findings }: Found): readonly RepairStep[] {
  const steps: RepairStep[] = []
  const torn = findings.find(isTornEnd)
  const broken = [...mends].map(([line, { code }]) => [code, line] as const)
  for (const [code, lines] of grouped(broken)) {
    const reason = ruleOf(code).title
    if (code === 'bytes/torn-tail' || code === 'bytes/torn-frame') continue
    if (code === 'bytes/byte-order-mark') {
      steps.push(
        step('remove-byte-order-mark', 'remove the byte order mark', reason, { finding: code, lines }),
      )
    } else if (MENDED.has(code)) {
      steps.push(
        step('mend-lines', `${MENDED.get(code)}: ${named(lines)}`, reason, {
          finding: code,
          lines,
        }),
      )
    } else {
      const what = `take ${plural(lines.length, 'line')} out, to quarantine: ${named(lines)}`
      steps.push(step('drop-rows', what, reason, { finding: code, lines }))
    }
  }
  if (torn !== undefined) steps.push(cutStep(torn))
  for (const { code, count } of counts) {
    const what = FRAMES.get(code)
    const kind = code === 'database/damaged' ? 'salvage-database' : 'rewrite-frames'
    if (what !== undefined) steps.push(step(kind, what, ruleOf(code).title, { finding: code, count }))
  }
  return steps
}

type TornEnd = FindingOf<'bytes/torn-tail'> | FindingOf<'bytes/torn-frame'>

function isTornEnd(finding: Finding): finding is TornEnd {
  return finding.code === 'bytes/torn-tail' || finding.code === 'bytes/torn-frame'
}

function cutStep({ code, origin, args }: TornEnd): RepairStep {
  const from = origin.byteOffset === undefined ? '' : `, from byte ${origin.byteOffset}`
  const kept =
    code === 'bytes/torn-frame' && args.records !== 0
      ? '; the records that can be read of it are written anew'
      : ''
  const what = `cut the last ${args.bytes} bytes off${from}, to quarantine${kept}`
  const lines = origin.line === undefined ? {} : { lines: [origin.line] }
  return step('cut-tail', what, ruleOf(code).title, { finding: code, ...lines })
}

/** The first lines of a list. */
function named(lines: readonly number[]): string {
  const shown = lines.slice(0, 5).join(', ')
  const more = lines.length > 5 ? ` and ${lines.length - 5} more` : ''
  return `line${lines.length === 1 ? '' : 's'} ${shown}${more}`
}

const MENDED: ReadonlyMap<FindingCode, string> = new Map([
  ['bytes/nul-padding', 'remove the NUL bytes around records'],
  ['bytes/spliced-line', 'part records that share a line; what belongs to none goes to quarantine'],
  ['bytes/split-line', 'join records that were split over two lines'],
])

const FRAMES: ReadonlyMap<FindingCode, string> = new Map([
  ['bytes/header-frame', 'put the header into a frame of its own'],
  ['bytes/frame-splits-record', 'end frames where records end'],
  ['bytes/corrupt-frame', 'leave damaged frames out; their bytes go to quarantine'],
  ['bytes/frame-structure', 'leave out bytes that are no frame; they go to quarantine'],
  [
    'database/damaged',
    'write the rows of the session that can be reached into a fresh database; nothing else of the old one is carried over',
  ],
])

export function arrangementSteps({ fates, gaps }: Arrangement): readonly RepairStep[] {
  const steps: RepairStep[] = []
  for (const fate of fates) {
    if (fate.movedTo !== undefined) {
      const what = `number the row ${fate.movedTo}: it follows on but for its own number`
      steps.push(
        step('move-rows', what, 'the row carries a wrong seq', {
          finding: codeOf(fate),
          seqs: [fate.movedTo],
        }),
      )
    } else if (fate.why !== undefined) steps.push(dropStep(fate, fate.why))
  }
  for (const { first, end } of gaps) {
    const missing = end - first === 1 ? `seq ${first} is` : `seqs ${first} to ${end - 1} are`
    const what = `close the gap: ${missing} missing, and later events move up with every reference to them`
    steps.push(
      step('close-gap', what, 'events are missing', {
        finding: 'order/seq-gap',
        seqs: [first],
        count: end - first,
      }),
    )
  }
  return steps
}

function dropStep(fate: RunFate, why: ClashKind | 'unnumbered'): RepairStep {
  const { run, from, until } = fate
  const first = run.first ?? 0
  const dropped = run.rows - (until - from)
  const seqs =
    from === until
      ? [first, first + run.rows - 1]
      : until < first + run.rows
        ? [until, first + run.rows - 1]
        : [first, from - 1]
  const kind: RepairKind = why === 'two-writers' ? 'drop-branch' : 'drop-rows'
  const what = `take ${plural(dropped, 'event')} out, to quarantine: ${REASONS[why]}`
  const finding = codeOf(fate)
  return step(kind, what, ruleOf(finding).title, {
    finding,
    ...(run.first !== undefined && { seqs }),
    count: dropped,
  })
}

const REASONS: Readonly<Record<ClashKind | 'unnumbered', string>> = {
  identical: 'they are a copy of events that are there already',
  closers: 'a recovery closed the turn, and the writer lived on behind it',
  'late-closers': 'a recovery closed a turn that had gone on',
  'packed-overlap': 'a packed row holds them too',
  'two-writers': 'two writers went on from the same event, and this branch did not live on',
  unnumbered: 'they have no usable seq',
}

function codeOf({ run }: RunFate): FindingCode {
  return run.first === undefined ? 'order/seq-invalid' : 'order/seq-repeated'
}

type Patched = readonly [RepairKind, string, FindingCode]

const MESSAGE_ID: Readonly<Record<MessageIdPatch['problem'], Patched>> = {
  missing: ['set-identities', 'give messages an id', 'message/id-missing'],
  repeated: ['set-identities', 'give messages an id of their own', 'message/id-repeated'],
}

const PATCHED: Readonly<Record<Exclude<RowPatch['kind'], 'message-id'>, Patched>> = {
  'call-blocks': ['set-identities', 'give tool calls an id and a name', 'pair/id-empty'],
  'call-id': ['set-identities', 'name the call in what belongs to it', 'pair/id-empty'],
  ignorable: ['mark-ignorable', 'mark events of unknown types ignorable', 'vocabulary/unknown-type'],
  inbox: ['fit-inbox', 'fit inbox splices to the inbox', 'inbox/out-of-range'],
}

export function patchSteps(patches: RowPatches): readonly RepairStep[] {
  const inOrder = [...patches].toSorted(([a], [b]) => a - b)
  const set = inOrder.flatMap(([seq, list]) => list.map((patch) => [patchedBy(patch), seq] as const))
  return [...grouped(set)].map(([[repair, what, finding], at]) => {
    return step(repair, `${what} (${plural(at.length, 'event')})`, ruleOf(finding).title, {
      finding,
      seqs: at,
    })
  })
}

function patchedBy(patch: RowPatch): Patched {
  return patch.kind === 'message-id' ? MESSAGE_ID[patch.problem] : PATCHED[patch.kind]
}

/** Places by what they have in common, in the order in which the kinds first occur. */
function grouped<Kind>(places: readonly (readonly [Kind, number])[]): ReadonlyMap<Kind, readonly number[]> {
  const groups = new Map<Kind, number[]>()
  for (const [kind, place] of places) {
    const known = groups.get(kind)
    if (known === undefined) groups.set(kind, [place])
    else known.push(place)
  }
  return groups
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
