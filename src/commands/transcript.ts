/** `transcript`: the conversation as the human saw it, or part of it. */
import { type TranscriptEntry, transcript } from '../core/projections/transcript.ts'
import {
  filterEntries,
  type TranscriptFilter,
  withoutToolOutput,
} from '../core/projections/transcript-filter.ts'
import { transcriptDigest } from '../load/sessions/log-digests.ts'
import type { TranscriptData } from '../report/views/transcript-view.ts'
import { type Command, LOG_ARGUMENT, type OptionSpec, type OptionValues } from './definition/command.ts'
import { parseCount, parseSeqRange, parseTurn } from './definition/option-values.ts'
import { logOutcome, mustBeLog, withLog } from './log-report.ts'

/** What chooses entries, the same wherever a transcript is shown. */
export const TRANSCRIPT_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--seq <range>',
    description: 'only entries in this range: A..B, A.. or ..B',
    parse: parseSeqRange,
  },
  { flags: '--turn <n>', description: 'only entries of this turn', parse: parseTurn },
  { flags: '--tail <n>', description: 'only the last turns, so many of them', parse: parseCount },
  {
    flags: '--only <speaker>',
    description: 'only what one of them said or gave',
    choices: ['user', 'assistant', 'tool'],
  },
  { flags: '--no-tool-output', description: 'leave out what tools gave back' },
]

export const command: Command = {
  arguments: [['<log>', LOG_ARGUMENT]],
  options: [
    ...TRANSCRIPT_OPTIONS,
    {
      flags: '--digest',
      description:
        'print instead the SHA-256 of all entries, each without seqs as canonical JSON (RFC 8785, but -0 stays) and a line feed: the same in every container',
    },
    { flags: '--markdown', description: 'short for --format markdown' },
  ],
  examples: [
    'resurface transcript session.jsonl',
    'resurface transcript session.jsonl --tail 3 --no-tool-output',
    'resurface transcript session.jsonl --markdown -o session.md',
  ],
  isLong: true,
  run: ([log], options, context) => {
    const path = log as string
    const entries: TranscriptEntry[] = []
    const emit = (entry: TranscriptEntry): void => void entries.push(entry)
    const isDigest = options.digest === true
    const digest = isDigest ? transcriptDigest(emit) : transcript(emit)
    return withLog(path, context, { digest }, (loaded) => {
      if (isDigest) mustBeLog(loaded)
      const { digest } = loaded.results
      const data: TranscriptData = {
        entries: chosenEntries(entries, options),
        ...(typeof digest === 'string' && { digest }),
      }
      return logOutcome('transcript', loaded, data)
    })
  },
}

/** @param options - values of {@link TRANSCRIPT_OPTIONS}. */
export function chosenEntries(
  entries: readonly TranscriptEntry[],
  options: OptionValues,
): readonly TranscriptEntry[] {
  const chosen = filterEntries(entries, options as TranscriptFilter)
  return options.toolOutput === false ? chosen.map(withoutToolOutput) : chosen
}
