/**
 * `watch`: the transcript, or the findings, of a log that is still written, as they become certain. It is read by the
 * reader and the replay of every other command, from a source that waits for more; so what it has printed at the end is
 * what `transcript` prints then, but for the marks of what the model no longer sees, which only the end tells.
 *
 * A log that was cut, rewritten or replaced before the position that was read, and a session that goes on in a newer
 * generation, are read again from the start, and everything is printed again: what is on standard output after the
 * last such remark is the whole report on the log as it is now. With `--from-end` that, too, begins at the end.
 */
import type { SessionHeader } from '../core/event/session-event.ts'
import type { Finding } from '../core/findings/finding.ts'
import { FindingLog } from '../core/findings/finding-log.ts'
import { judge } from '../core/findings/verdict.ts'
import { type TranscriptEntry, transcript } from '../core/projections/transcript.ts'
import { type FollowedLog, LogFollower } from '../load/inputs/follow-log.ts'
import { addInputFindings } from '../load/inputs/judged-log.ts'
import { InputOpener } from '../load/inputs/open-input.ts'
import { loadSteps } from '../load/sessions/load-log.ts'
import { logReport, reportFinding } from '../report/log-report.ts'
import type { ListItem } from '../report/main-list.ts'
import { reportSetOf } from '../report/report.ts'
import { LogReplaced } from '../storage/growing/log-replaced.ts'
import { PollTimer } from '../storage/growing/poll-timer.ts'
import { ToolError } from '../storage/tool-error.ts'
import type { LiveKind } from './definition/command.ts'
import { type CommandContext, defineCommand, type Outcome } from './definition/command.ts'
import { lookOutcome } from './definition/look-outcome.ts'
import { flag, type ValuesOf, value } from './definition/option.ts'
import { parseInterval, parseSeconds } from './definition/option-values.ts'

const DEFAULT_INTERVAL = 200

const OPTIONS = {
  entries: flag('print transcript entries (default)'),
  findings: flag('print findings, the first as soon as it is certain'),
  fromStart: flag('begin with what is stored already (default)'),
  fromEnd: flag('begin with what comes from now on'),
  idle: value(
    '<seconds>',
    parseSeconds,
    'end after this time without new data; 0: after what is stored already',
  ),
  interval: value('<seconds>', parseInterval, 'time between two looks at the file (default: 0.2)'),
}

type WatchOptions = ValuesOf<typeof OPTIONS>

export const command = defineCommand({
  arguments: [
    ['<log>', 'log file, store.db#SESSION, session directory or session id; it need not be there yet'],
  ],
  options: OPTIONS,
  uses: ['reading', 'findings'],
  examples: [
    'resurface watch ~/.dsh/sessions/--w--/SESSION',
    'resurface watch session.jsonl.zstd --findings --from-end',
    'resurface watch session.jsonl --idle 10 --format ndjson',
  ],
  notes: [
    'An interrupt (Ctrl-C) is the end of the log as far as this command goes: what only the end can say is printed then, and the exit code says what was found. A second one ends it at once.',
    'A log that was cut or rewritten in the part that was read, replaced by another file (as repair --in-place does it), or followed by a newer generation is read and printed again from the start, and standard error says so; with --from-end, from its end. A change is noticed by the identity of the file, its size and the last 4 KiB that were read.',
  ],
  run: async ([name], options, context) => {
    mustFit(name, options)
    const watching = new Watching(name, options, context)
    const outcome = watching.end()
    const { schema } = outcome.reportSet
    return { ...outcome, live: { schema, items: watching.items(), end: () => watching.end() } }
  },
})

function mustFit(name: string, { entries, findings, fromStart, fromEnd }: WatchOptions): void {
  if (name === '-')
    throw new ToolError('usage', 'standard input does not grow like a log', 'Name the file instead.')
  if (entries && findings) throw new ToolError('usage', '--entries and --findings exclude each other')
  if (fromStart && fromEnd) throw new ToolError('usage', '--from-start and --from-end exclude each other')
}

/** One log, through all its readings. */
class Watching {
  readonly #name: string
  readonly #context: CommandContext
  readonly #options: WatchOptions
  #log: Pick<FollowedLog, 'name' | 'container'>
  #header: SessionHeader | undefined
  #findings: FindingLog

  constructor(name: string, options: WatchOptions, context: CommandContext) {
    this.#name = name
    this.#options = options
    this.#context = context
    this.#log = { name, container: 'jsonl' }
    this.#findings = new FindingLog(context.policy)
  }

  /** Entries or findings, of one reading after the other. */
  async *items(): AsyncIterable<ListItem<LiveKind>> {
    const { idle, interval = DEFAULT_INTERVAL } = this.#options
    const { limits, storeRoot, lookAlike, opened, untilStopped, say = () => {} } = this.#context
    const timer = new PollTimer({ interval, idle, stop: untilStopped?.() })
    const opener = new InputOpener({ ...this.#context, progress: undefined })
    const follower = new LogFollower(this.#name, { limits, storeRoot, lookAlike, opened, timer, opener, say })
    for (;;) {
      try {
        const log = await follower.open()
        yield* this.#reading(log)
        return
      } catch (error) {
        if (!(error instanceof LogReplaced)) throw error
        if (error.successor !== undefined) follower.moveTo(error.successor)
        const again = this.#options.fromEnd ? 'it goes on at the end' : 'it is read again from the start'
        say(`${this.#log.name}: ${error.message}; ${again}`)
      } finally {
        await opener.close()
      }
    }
  }

  /** What the log comes to so far. */
  end(): Outcome<LiveKind> {
    const findings = this.#findings
    const judgement = judge(findings.counts(), this.#context.failOn, findings.found())
    const { name, container } = this.#log
    const log = { name, header: this.#header, judgement, findings, input: { container } }
    const outcome = lookOutcome('transcript', log, { entries: [] }, this.#context)
    if (!this.#options.findings) return outcome
    const report = logReport('watch', log, { counts: judgement.counts, found: [] })
    return { ...outcome, reportSet: reportSetOf({ ...report, findings: [] }) }
  }

  async *#reading(log: FollowedLog): AsyncIterable<ListItem<LiveKind>> {
    const { limits, policy } = this.#context
    const { findings: wantsFindings, fromEnd } = this.#options
    const entries: TranscriptEntry[] = []
    const found: Finding[] = []
    const shown = transcript((entry) => entries.push(entry))
    const steps = loadSteps(
      log.source,
      { shown },
      { limits, policy, found: (finding) => found.push(finding) },
    )
    this.#log = log
    this.#header = undefined
    try {
      for (let isOver = false; !isOver; ) {
        const { done, value } = await steps.next()
        this.#header = value.header
        this.#findings = value.findings
        isOver = done === true
        if (isOver) await addInputFindings(value.findings, log, value.header, this.#context)
        const said = entries.splice(0)
        const raised = found.splice(0).map((finding) => reportFinding(finding, value.findings))
        if (!fromEnd || log.hasCaughtUp()) yield* wantsFindings ? raised : said
      }
    } finally {
      await steps.return(undefined as never)
    }
  }
}
