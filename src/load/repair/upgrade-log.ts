/**
 * The last mending of a repair that has a target: what the releases up to the target refuse. One change may show the
 * next, so it goes round until they open the log or nothing is left to change. Every round is read next to the one before.
 */
import { releaseVerdicts } from '../../core/compatibility/compatibility.ts'
import type { UpgradeRefusal } from '../../core/compatibility/migration/refusal.ts'
import { migrationFacts } from '../../core/compatibility/migration-facts.ts'
import { RELEASE_LINES } from '../../core/compatibility/release-lines.ts'
import type { EventEdits, Mending } from '../../core/repair/event-edits.ts'
import { type RepairStep, step } from '../../core/repair/repair-step.ts'
import { upgradeMending } from '../../core/upgrade/plan-upgrade.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { type LoadedLog, loadLog, type ResultsOf } from '../sessions/load-log.ts'
import { type LogDigests, showSame } from '../sessions/log-digests.ts'
import { applyEventEdits } from './apply-edits.ts'
import { contentDigests } from './content-digests.ts'
import { strayChange } from './only-named-members.ts'
import type { Quarantine } from './quarantine.ts'

export interface UpgradeOptions {
  readonly limits: ReadLimits
  /** Name of the release that has to open the log. */
  readonly target: string
  readonly allowUnknown: boolean
}

export type Upgraded =
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
  | { readonly kind: 'upgraded'; readonly steps: readonly RepairStep[]; readonly source: RecordSource }

const MOST_REASONS = 20
/** More rounds than any chain of changes needs. */
const MOST_ROUNDS = 6

export async function upgradeLog(
  original: RecordSource,
  options: UpgradeOptions,
  quarantine: Quarantine,
): Promise<Upgraded> {
  const format = formatOf(options.target)
  const steps: RepairStep[] = []
  let source = original
  let digests: LogDigests | undefined
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const log = await read(source, format, options)
    digests ??= log.results.digests
    if (!showSame(digests, log.results.digests))
      return refused('the messages would not stay as they are: this is a fault of resurface')
    const reasons = reasonsUpTo(format, log)
    if (reasons.length === 0) return { kind: 'upgraded', steps, source }
    const mending = withHeader(log.results.mending, log)
    if (mending.steps.length === 0) return { kind: 'refused', reasons }
    steps.push(...mending.steps)
    const before = source
    source = applyEventEdits(before, mending.edits, quarantine)
    const stray = await strayChange(before, source, mending.edits)
    if (stray !== undefined) return refused(`event ${stray} would change: this is a fault of resurface`)
  }
  return { kind: 'refused', reasons: reasonsUpTo(format, await read(source, format, options)) }
}

function formatOf(target: string): number {
  const line = RELEASE_LINES.find(({ name }) => name === target)
  if (line === undefined) throw new Error(`no release is called ${target}`)
  return line.format
}

type ReadLog = LoadedLog<ResultsOf<ReturnType<typeof reducers>>>

function reducers(format: number, allowUnknown: boolean) {
  return {
    mending: upgradeMending({ format, allowUnknown }),
    facts: migrationFacts(),
    digests: contentDigests(),
  }
}

function read(
  source: RecordSource,
  format: number,
  { limits, allowUnknown }: UpgradeOptions,
): Promise<ReadLog> {
  return loadLog(source, reducers(format, allowUnknown), { limits })
}

/** What the releases after the format of the log, up to the target, have against it: places first, the rest in words. */
function reasonsUpTo(format: number, { header, findings, results }: ReadLog): readonly string[] {
  const own = header?.version ?? 0
  const wanted = RELEASE_LINES.filter((line) => line.format > own && line.format <= format)
  const { facts } = results
  const located = facts.refusals.filter(({ targets }) => targets.some((target) => target <= format))
  const named = new Set(located.map(({ kind }) => kind))
  const verdicts = releaseVerdicts(header?.version, findings.counts(), facts)
  const others = verdicts
    .filter(({ release }) => wanted.some(({ name }) => name === release))
    .flatMap(({ reasons }) => reasons.filter(({ what }) => !named.has(what)))
    .map(({ what, count }) => (count > 1 ? `${what} (${count})` : what))
  return [...new Set([...located.map(placed), ...others])].slice(0, MOST_REASONS)
}

function placed({
  seq,
  type,
  path,
  problem,
}: Pick<UpgradeRefusal, 'seq' | 'type' | 'path' | 'problem'>): string {
  const what = path === undefined ? type : `${type}, ${path}`
  return `${seq === undefined ? '' : `seq ${seq}, `}${what} ${problem}`
}

/** Members of the header that later formats do not have. */
function withHeader({ steps, edits }: Mending, { findings }: ReadLog): Mending {
  const unknown = findings
    .findings()
    .flatMap((finding) => (finding.code === 'header/unknown' ? [finding.args.field] : []))
  if (unknown.length === 0) return { steps, edits }
  const header: EventEdits['header'] = unknown.map((field) => ({ at: [String(field)] }))
  const places = { lines: [1], count: unknown.length } as const
  return { steps: [...steps, step('upgrade', { family: 'members' }, places)], edits: { ...edits, header } }
}

function refused(reason: string): Upgraded {
  return { kind: 'refused', reasons: [reason] }
}
