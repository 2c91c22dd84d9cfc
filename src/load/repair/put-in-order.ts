/**
 * The first kind of mending: lines that can be read, in an order that holds. Lines come first, then their order, for
 * both may lie behind a tail that DSH would drop.
 */
import { dialectOf } from '../../core/dialect/dialect.ts'
import { type FindingCode, ruleOf } from '../../core/findings/rules.ts'
import { type Arrangement, arrangeRuns, MOST_BRANCHES, type Overlap } from '../../core/repair/arrange-runs.ts'
import { type RepairStep, step } from '../../core/repair/repair-step.ts'
import { SeqMap } from '../../core/repair/seq-map.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import { explainClash } from '../reading/explain-clash.ts'
import { arrangedRows } from './arranged-rows.ts'
import { arrangementSteps, mendSteps } from './describe-steps.ts'
import { editedSource, type RecordEdit } from './edited-source.ts'
import { dialectIn, type Examined } from './examine.ts'
import { mendedLines } from './mended-lines.ts'
import { Quarantine } from './quarantine.ts'
import type { RepairOptions } from './repair-options.ts'
import { lineOf } from './stored-row.ts'
import { promisedVersion, suggestedHeader } from './suggested-header.ts'
import { surveyLog } from './survey.ts'

export type Ordered =
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'ordered'
      readonly steps: readonly RepairStep[]
      /** The log with its lines mended, and the edit that puts them in order. */
      readonly mended: RecordSource
      readonly begin: () => RecordEdit
      /** Branches that did not live on, as logs of their own. */
      readonly branches: readonly RecordSource[]
      /** Where the events went. */
      readonly places: SeqMap
      /** First events behind a gap that was closed, as they are numbered then. */
      readonly gaps: ReadonlySet<number>
    }

/** More breaks than this are no order that could be mended. */
const MOST_RUNS = 10_000
const NO_HEADER =
  'header/missing: a header can only be suggested for a log that lies where DSH keeps it, in PROJECT/SESSION/session.jsonl'

/** Whether a log has lines or an order to mend at all. */
export function needsOrder({ findings, layout }: Examined): boolean {
  const isPhysical = findings.counts().some(({ code }) => isBytesOrOrder(code))
  return isPhysical || layout.cut !== undefined || layout.byteOrderMark
}

export async function putInOrder(
  source: RecordSource,
  original: Examined,
  { file, keep }: RepairOptions,
  quarantine: Quarantine,
): Promise<Ordered> {
  const { findings } = original
  const isHeaderless = original.header === undefined
  const dialect = isHeaderless ? dialectOf(promisedVersion(file)) : dialectIn(original)
  const survey = await surveyLog(source, dialect, !isHeaderless)
  const header = isHeaderless ? suggestedHeader(file, survey.facts) : undefined
  if (isHeaderless && header === undefined) return { kind: 'refused', reason: NO_HEADER }
  if (survey.runs.length > MOST_RUNS) return unproven(`it breaks more than ${MOST_RUNS} times`)

  const begin = mendedLines(survey.mends, quarantine, header && lineOf(header))
  const mended = editedSource(source, { begin, lost: quarantine })
  const arrangement = await arrangeRuns(
    survey.runs,
    keep,
    async ({ run, first, last, expected }: Overlap) => {
      const lines = { firstLine: run.firstPlace, lastLine: run.lastPlace }
      const clash = await explainClash(mended, { ...lines, first, last, expected, rows: last - first + 1 })
      return clash?.kind ?? 'two-writers'
    },
  )
  const problem = problemOf(arrangement)
  if (problem !== undefined) return unproven(problem)

  const headerSteps = header === undefined ? [] : [headerStep(header)]
  const found = { counts: findings.counts(), findings: findings.findings() }
  const places = new SeqMap(arrangement.stretches)
  return {
    kind: 'ordered',
    steps: [...headerSteps, ...mendSteps(survey, found), ...arrangementSteps(arrangement)],
    mended,
    begin: arrangedRows(arrangement, quarantine),
    branches: arrangement.branches.map((branch) =>
      editedSource(mended, { begin: arrangedRows(branch, new Quarantine()) }),
    ),
    places,
    gaps: new Set(arrangement.gaps.flatMap(({ end }) => places.of(end) ?? [])),
  }
}

function problemOf({ branches, misplaced }: Arrangement): string | undefined {
  if (branches.length > MOST_BRANCHES) return `more than ${MOST_BRANCHES} branches clash in it`
  const [stray] = misplaced
  return stray === undefined
    ? undefined
    : `seq ${stray.first} stands out of its place, and no other event has it; put the line where it belongs, or take it out, and try again`
}

function unproven(why: string): Ordered {
  return { kind: 'refused', reason: `the order of the log is not proven: ${why}` }
}

function headerStep(header: object): RepairStep {
  const what = `put a header in front that the place of the log suggests: ${JSON.stringify(header)}`
  return step('add-header', what, ruleOf('header/missing').title, { finding: 'header/missing' })
}

function isBytesOrOrder(code: FindingCode): boolean {
  const { layer, severity } = ruleOf(code)
  return severity !== 'info' && (layer === 'bytes' || layer === 'order')
}
