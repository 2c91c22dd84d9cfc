/**
 * What a log without its content has to have in common with the log it was: findings, classes and the plan of a repair,
 * each by place and kind and not by wording, and what every release makes of it.
 */
import { createHash } from 'node:crypto'
import { releaseVerdicts } from '../../core/compatibility/compatibility.ts'
import { migrationFacts } from '../../core/compatibility/migration-facts.ts'
import type { Finding } from '../../core/findings/finding.ts'
import type { FindingCode } from '../../core/findings/rules.ts'
import { classification } from '../../core/projections/classification.ts'
import type { RepairStep } from '../../core/repair/repair-step.ts'
import { ignoreDeltas } from '../../core/replay/delta-run.ts'
import type { Reducer } from '../../core/replay/reducer.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { examination } from '../repair/examine.ts'
import { planRepair } from '../repair/plan-repair.ts'
import { loadLog } from '../sessions/load-log.ts'
import type { LogDigests } from '../sessions/log-digests.ts'

/** The lines of a diagnosis, by what they are about; a line that only one of two diagnoses has tells them apart. */
export interface Diagnosis {
  readonly findings: readonly string[]
  readonly classes: readonly string[]
  readonly plan: readonly string[]
  /** Why a repair would be refused; the words name places and values, and are not compared. */
  readonly refused: readonly string[]
  readonly releases: readonly string[]
  readonly codes: ReadonlySet<FindingCode>
  readonly counts: {
    readonly findings: number
    readonly current: number
    readonly shadowed: number
    readonly logOnly: number
    readonly steps: number
  }
}

/** What a diagnosis does not show need not be hashed. */
const UNSEEN: Reducer<LogDigests> = {
  onDeltas: ignoreDeltas,
  on() {},
  finish: () => ({ surface: '', transcript: '' }),
}

/**
 * @param file - where the log lies.
 * @param hasLines - whether places are lines of the file: rows of a database have none.
 * @param without - rules that are left out, with what follows from them.
 */
export async function diagnose(
  source: RecordSource,
  file: string,
  limits: ReadLimits,
  hasLines: boolean,
  without: ReadonlySet<FindingCode> = new Set(),
): Promise<Diagnosis> {
  const reducers = {
    ...examination({ allowUnknown: false }),
    digests: UNSEEN,
    classes: classification(),
    facts: migrationFacts(),
  }
  const log = await loadLog(source, reducers, { limits })
  const { findings, header, results } = log
  const planned = await planRepair(source, log, { limits, file, keep: 'living', allowUnknown: false })
  const added = [...planned.inserted, ...planned.closers, ...planned.notes] as readonly {
    readonly type: string
    readonly seq: number
  }[]
  const isMeant = ({ code }: { readonly code: FindingCode }): boolean => !without.has(code)
  const counts = findings.counts().filter(isMeant)
  const steps = planned.steps.filter(({ finding }) => finding === undefined || !without.has(finding))
  const releases = releaseVerdicts(header?.version, counts, results.facts)
  return {
    findings: [
      ...findings
        .findings()
        .filter(isMeant)
        .map((finding) => findingLine(finding, findings.severityOf(finding.code), hasLines)),
      ...counts.map(({ code, count }) => `${count} times ${code}`),
    ],
    classes: classLines(results.classes),
    plan: [
      ...steps.map((step) => stepLine(step, hasLines)),
      ...added.map(({ type, seq }) => `add ${type} at seq ${seq}`),
      ...planned.refused.map(() => NO_REPAIR),
    ],
    refused: planned.refused,
    releases: releases.map(({ release, opens }) => `${release} ${opens ? 'opens' : 'refuses'} it`),
    codes: new Set(counts.map(({ code }) => code)),
    counts: {
      findings: counts.reduce((sum, { count }) => sum + count, 0),
      ...results.classes.counts,
      steps: steps.length,
    },
  }
}

const NO_REPAIR = 'no repair'

function findingLine({ code, origin, seq }: Finding, severity: string, hasLines: boolean): string {
  const line = hasLines && origin.line !== undefined ? ` in line ${origin.line}` : ''
  return `${severity} ${code}${line}${seq === undefined ? '' : ` at seq ${seq}`}`
}

function classLines({ counts, events }: ReturnType<ReturnType<typeof classification>['finish']>): string[] {
  const { current, shadowed, logOnly } = counts
  const hash = createHash('sha256')
  for (const { seq, class: name, replacedBy, turn } of events())
    hash.update(`${seq} ${name} ${replacedBy} ${turn}\n`)
  return [`${current} current`, `${shadowed} shadowed`, `${logOnly} log-only`, hash.digest('hex')]
}

function stepLine({ kind, finding, lines, seqs, count }: RepairStep, hasLines: boolean): string {
  const inLines = hasLines && lines !== undefined ? ` in line ${lines.join(', ')}` : ''
  const atSeqs = seqs !== undefined ? ` at seq ${seqs.join(', ')}` : ''
  return `${kind} for ${finding}, ${count} times${inLines}${atSeqs}`
}

const SUBJECTS = {
  findings: 'its findings',
  classes: 'the classes of its events',
  plan: 'the plan of its repair',
  releases: 'what releases make of it',
} as const

/** What the second diagnosis lacks or has besides, a sentence for each subject; nothing when both are alike. */
export function differences(before: Diagnosis, after: Diagnosis): readonly string[] {
  return (['findings', 'classes', 'plan', 'releases'] as const).flatMap((about) => {
    const [left, right] = [before[about], after[about]]
    if (left.join('\n') === right.join('\n')) return []
    const lost = left.find((line) => !right.includes(line))
    const added = right.find((line) => !left.includes(line))
    const fresh = added === NO_REPAIR ? `${added} (${after.refused.join('; ')})` : added
    if (about === 'classes' || (lost ?? fresh) === undefined) return [`${SUBJECTS[about]} would be others`]
    return [
      lost === undefined
        ? `${SUBJECTS[about]} would hold: ${fresh}`
        : `${SUBJECTS[about]} would lack: ${lost}`,
    ]
  })
}
