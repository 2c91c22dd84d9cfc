/**
 * Which release lines open a log, and why the others do not. The findings say most of it; a few facts matter to later
 * readers alone and are no findings, because a healthy old log must stay clean.
 */
import type { FindingCount } from '../findings/finding-log.ts'
import { ruleOf } from '../findings/rules.ts'
import type { MigrationFacts } from './migration-facts.ts'
import { RELEASE_LINES, type ReleaseLine } from './release-lines.ts'

export interface Reason {
  readonly what: string
  readonly count: number
}

export interface ReleaseVerdict {
  readonly release: string
  readonly opens: boolean
  /** Grouped by kind, with how often each occurs. */
  readonly reasons: readonly Reason[]
}

export function releaseVerdicts(
  format: number | undefined,
  counts: readonly FindingCount[],
  facts: MigrationFacts,
): readonly ReleaseVerdict[] {
  return RELEASE_LINES.map((line) => {
    const reasons = reasonsOf(line, format ?? 0, counts, facts)
    return { release: line.name, opens: reasons.length === 0, reasons }
  })
}

function reasonsOf(
  line: ReleaseLine,
  format: number,
  counts: readonly FindingCount[],
  { facts, mendedTurns }: MigrationFacts,
): readonly Reason[] {
  if (format > line.format) return [{ what: `format ${format} is newer`, count: 1 }]
  const reasons = new Map<string, number>()
  const add = (what: string, count: number): void => {
    if (count > 0) reasons.set(what, Math.max(count, reasons.get(what) ?? 0))
  }
  const migrates = format < line.format
  for (const { code, count } of counts) {
    const { refused, refusedBefore012, refusedByMigration } = ruleOf(code)
    const older = !line.since012 && refusedBefore012
    // The migration from 3 to 4 renames unknown ignorable events; the ones before refuse them.
    const isRenamed = code === 'vocabulary/unknown-ignorable' && format === 3
    if (refused || older || (migrates && refusedByMigration && !isRenamed))
      add(code, code === 'turn/nested' && !refused ? count - mendedTurns : count)
  }
  for (const { what, edge, only, count } of facts) {
    const crosses = edge === 'all' ? migrates : format <= edge && edge < line.format
    if (crosses && (only === undefined || only === line.format)) add(what, count)
  }
  return [...reasons].map(([what, count]) => ({ what, count }))
}
