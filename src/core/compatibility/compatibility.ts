/**
 * Which release lines open a log, and why the others do not. Releases of the log's own format are asked by the findings;
 * what a later release makes of it, the migrations say.
 */
import type { FindingCount } from '../findings/finding-log.ts'
import { type FindingCode, ruleOf } from '../findings/rules.ts'
import type { MigrationFacts } from './migration-facts.ts'
import { RELEASE_LINES, type ReleaseLine } from './release-lines.ts'

export interface Reason {
  readonly what: string
  readonly count: number
  /** Code of the findings that say it, where there are any. */
  readonly code?: FindingCode
}

export interface ReleaseVerdict {
  readonly release: string
  readonly opens: boolean
  /** Grouped by kind, with how often each occurs. */
  readonly reasons: readonly Reason[]
  /** Nobody could ask it: the verdict follows what is known of its format. */
  readonly secondHand?: true
}

export function releaseVerdicts(
  format: number | undefined,
  counts: readonly FindingCount[],
  facts: MigrationFacts,
): readonly ReleaseVerdict[] {
  return RELEASE_LINES.map((line) => {
    const reasons = reasonsOf(line, format ?? 0, counts, facts)
    const { name, secondHand } = line
    return { release: name, opens: reasons.length === 0, ...(secondHand && { secondHand }), reasons }
  })
}

function reasonsOf(
  line: ReleaseLine,
  format: number,
  counts: readonly FindingCount[],
  { facts, isFollowed }: MigrationFacts,
): readonly Reason[] {
  if (format > line.format) return [{ what: `format ${format} is newer`, count: 1 }]
  const migrates = format < line.format
  // Of the log's own readers a migration has only what is below its rows; format 4 is asked by what format 3 refuses.
  const isOwn = !migrates || !isFollowed || format === 3
  const found = counts.filter(({ code }) => {
    const { refused, refusedBefore012, layer, ofOneRow } = ruleOf(code)
    if (refusedBefore012 === true && !line.since012) return true
    return refused === true && (isOwn || (layer === 'bytes' && ofOneRow !== true))
  })
  const refused = migrates
    ? facts.filter(({ targets }) => targets.some((target) => target === line.format))
    : []
  return [
    ...found.map(({ code, count }) => ({ what: code as string, count, code })),
    ...refused.map(({ kind, count, area }) => ({ what: kind, count, code: `upgrade/${area}` as const })),
  ]
}
