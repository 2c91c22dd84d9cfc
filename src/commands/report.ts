/** `report`: everything about a log in one report, made for a browser. */
import { migrationFacts } from '../core/compatibility/migration-facts.ts'
import { judgeForReleases } from '../core/compatibility/upgrade-findings.ts'
import { ruleOf } from '../core/findings/rules.ts'
import { classification } from '../core/projections/classification.ts'
import { gaps } from '../core/projections/gaps.ts'
import { inheritance } from '../core/projections/inheritance.ts'
import { LastItems } from '../core/projections/last-items.ts'
import { shadowedBy, withMark } from '../core/projections/shadowed-by.ts'
import { type ShortEntry, shortenEntry, unitsOf } from '../core/projections/shorten-entry.ts'
import { statistics } from '../core/projections/statistics.ts'
import { surfaceGrowth } from '../core/projections/surface-growth.ts'
import { toolTimes } from '../core/projections/tool-times.ts'
import { transcript } from '../core/projections/transcript.ts'
import { filterEntries } from '../core/projections/transcript-filter.ts'
import { type TurnSpan, type TurnSpans, turnAt, turnSpans } from '../core/projections/turn-spans.ts'
import { waitingMessages } from '../core/projections/waiting-messages.ts'
import { SKIPS_STREAMS } from '../load/inputs/judged-log.ts'
import type { Log, Reading } from '../log/log.ts'
import { withLog } from '../log/open-log.ts'
import { checkData, infoData } from '../report/log-report.ts'
import type { ListItem } from '../report/main-list.ts'
import type { ReportData } from '../report/report.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'
import { lookOutcome } from './definition/look-outcome.ts'
import { REDACTION, redacting } from './definition/redaction.ts'
import { TRANSCRIPT_OPTIONS, type TranscriptChoices } from './transcript.ts'

/** What a browser opens at once, and what a log of any length leaves in memory. */
const MOST_ENTRIES = 5000
const MOST_UNITS = 8_000_000
const MOST_UNITS_OF_TEXT = 20_000

const NOT_A_LOG = 3

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  options: { ...TRANSCRIPT_OPTIONS, ...REDACTION },
  uses: ['reading', 'findings', 'limit'],
  examples: [
    'resurface report session.jsonl -o report.html',
    'resurface report session.jsonl --turn 3 --no-tool-output > turn-3.html',
    'resurface report session.jsonl --json',
    'resurface report session.jsonl --redact -o shared.html',
  ],
  format: 'html',
  page: ([log]) => `${pageName(log)}.html`,
  run: async ([path], options, context) => {
    const each = { ...options, tail: undefined }
    const entries = new LastItems<ShortEntry>(MOST_ENTRIES, MOST_UNITS, unitsOf)
    const reducers = {
      facts: migrationFacts(),
      gaps: gaps(),
      statistics: statistics(),
      classes: classification(),
      surface: surfaceGrowth(),
      turns: turnSpans(),
      inherited: inheritance(),
      waiting: waitingMessages(),
      shadowed: shadowedBy(),
      times: toolTimes(),
      entries: transcript((entry) => {
        for (const chosen of filterEntries([entry], each))
          entries.push(shortenEntry(chosen, MOST_UNITS_OF_TEXT))
      }),
    }
    return withLog(path, await redacting(context, options), async (log) => {
      const loaded = await log.read(reducers, SKIPS_STREAMS)
      const { findings, header, results } = loaded
      const { judgement, compatibility } = judgeForReleases(
        findings,
        header?.version,
        results.facts,
        context.failOn,
      )
      const judged = { ...loaded, judgement }
      const kept = entries.items()
      const shown = filterEntries(kept, { tail: options.tail })
      const part = partText(options)
      const data: ReportData<'report'> = {
        check: checkData(judged, compatibility),
        info: infoData(loaded),
        surface: results.surface,
        turns: part === '' ? results.turns : withoutOtherPrompts(results.turns, shown),
        ...(results.inherited !== undefined && { inherited: results.inherited }),
        ...(part !== '' && { part }),
        // Turns that were not asked for are not missing.
        leftOut: shown.length < kept.length ? 0 : entries.leftOut,
        entries: shown.map((entry) => withFacts(entry, results)),
        ...(await repairOf(log, loaded)),
      }
      return lookOutcome('report', judged, data, context)
    })
  },
})

/** A part of a conversation says nothing of the rest of it. */
function withoutOtherPrompts({ turns, leftOut }: TurnSpans, shown: readonly ShortEntry[]): TurnSpans {
  const said = new Set(shown.flatMap(({ kind, seq }) => (kind === 'user' ? [turnAt(turns, seq)] : [])))
  return { leftOut, turns: turns.map((span) => (said.has(span) ? span : withoutPrompt(span))) }
}

function withoutPrompt({ prompt: _, ...span }: TurnSpan): TurnSpan {
  return span
}

/** What is known of an entry at the end of the log. */
function withFacts(
  entry: ShortEntry,
  {
    shadowed,
    times,
  }: { readonly shadowed: ReadonlyMap<number, number>; readonly times: ReadonlyMap<number, number> },
): ListItem<'report'> {
  const duration = entry.kind === 'tool' ? times.get(entry.seq) : undefined
  return { ...withMark(entry, shadowed), ...(duration !== undefined && { duration }) }
}

/** The plan of a repair, where one has something to say. */
async function repairOf(
  log: Log,
  { findings, judgement }: Pick<Reading, 'findings' | 'judgement'>,
): Promise<Pick<ReportData<'report'>, 'repair'>> {
  const isRepairable = [...findings.found()].some((code) => ruleOf(code).repairable)
  if (!isRepairable || judgement.exitCode === NOT_A_LOG) return {}
  const { planRepair } = await import('../log/plan-repair.ts')
  const {
    log: _log,
    reading: _reading,
    planned: _planned,
    options: _options,
    ...repair
  } = await planRepair(log)
  return repair.steps.length > 0 || repair.refused !== undefined ? { repair } : {}
}

/** `~/s/session.jsonl.zstd` → `session`; of a store the session in it. */
function pageName(log: string): string {
  const last = log.split(/[/\\#]/).findLast((part) => part !== '') ?? '-'
  const name = last.replace(/(?:\.jsonl)?(?:\.(?:zstd?|gz))?$/i, '')
  return name === '-' || name === '' ? 'report' : name
}

/** The options that choose entries, as they would be typed. */
function partText({ seq, turn, tail, only, toolOutput }: TranscriptChoices): string {
  return [
    seq !== undefined && `--seq ${seq.from}..${seq.to === Number.MAX_SAFE_INTEGER ? '' : seq.to}`,
    turn !== undefined && `--turn ${turn}`,
    tail !== undefined && `--tail ${tail}`,
    only !== undefined && `--only ${only}`,
    !toolOutput && '--no-tool-output',
  ]
    .filter((text) => text !== false)
    .join(' ')
}
