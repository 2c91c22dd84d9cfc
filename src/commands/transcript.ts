/** `transcript`: the conversation as the human saw it, or part of it. */
import { withMark } from '../core/projections/shadowed-by.ts'
import type { TranscriptEntry } from '../core/projections/transcript.ts'
import { each } from '../log/log.ts'
import { withOpened } from '../log/open-log.ts'
import { madeAnew } from '../report/main-list.ts'
import { SpooledItems } from '../storage/spooled-items.ts'
import { defineCommand, LOG_ARGUMENTS, type PerLog } from './definition/command.ts'
import { lookOutcome } from './definition/look-outcome.ts'
import { choice, flag, unless, type ValuesOf, value } from './definition/option.ts'
import { parseCount, parseSeqRange, parseTurn } from './definition/option-values.ts'
import { REDACTION, redacting } from './definition/redaction.ts'
import { wholeOutcome } from './definition/whole-outcome.ts'
import { eachLog } from './many-logs/each-log.ts'

/** What chooses entries, the same wherever a transcript is shown. */
export const TRANSCRIPT_OPTIONS = {
  seq: value('<range>', parseSeqRange, 'only entries in this range: A..B, A.. or ..B'),
  turn: value('<n>', parseTurn, 'only entries of this turn'),
  tail: value('<n>', parseCount, 'only the last N turns'),
  only: choice('<speaker>', ['user', 'assistant', 'tool'], 'only what one of them said or gave'),
  toolOutput: unless('leave out what tools gave back'),
}

export type TranscriptChoices = ValuesOf<typeof TRANSCRIPT_OPTIONS>

const OPTIONS = {
  ...TRANSCRIPT_OPTIONS,
  digest: flag(
    'print instead the SHA-256 of all entries, each without seqs as canonical JSON (RFC 8785, but -0 stays) and a line feed: the same in every container',
  ),
  full: flag('show outputs of tools whole on a terminal, too; elsewhere nothing is shortened'),
  markdown: flag('short for --format markdown', { format: 'markdown', conflicts: ['format', 'json'] }),
  ...REDACTION,
}

export const command = defineCommand({
  arguments: [['[logs...]', LOG_ARGUMENTS]],
  options: OPTIONS,
  uses: ['reading', 'findings', 'inputs'],
  examples: [
    'resurface transcript session.jsonl',
    'resurface transcript session.jsonl --tail 3 --no-tool-output',
    'resurface transcript session.jsonl --markdown -o session.md',
    'resurface transcript session.jsonl --redact',
  ],
  isLong: true,
  perLog: shown,
  run: async ([logs], options, context) => {
    const outcome = await wholeOutcome(await eachLog('transcript', logs, context, shown(options)))
    return { ...outcome, isFull: options.full }
  },
})

function shown(options: ValuesOf<typeof OPTIONS>): PerLog {
  return async (opener, input, context) =>
    withOpened(opener, input, await redacting(context, options), async (log) => {
      const entries = new SpooledItems<TranscriptEntry>()
      const end = await each(log.transcript(options), (entry) =>
        entries.push(entry, 'text' in entry ? entry.text.length : 0),
      )
      const { reading, shadowed, ...more } = end
      function* marked(): Iterable<TranscriptEntry> {
        for (const entry of entries) yield withMark(entry, shadowed)
      }
      return lookOutcome('transcript', reading, { entries: madeAnew(marked), ...more }, context)
    })
}
