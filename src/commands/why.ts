/** `why`: what became of one event. */
import { existsSync } from 'node:fs'
import { eventTrace } from '../core/projections/trace.ts'
import { mustBeLog } from '../load/inputs/judged-log.ts'
import { withLog } from '../log/open-log.ts'
import { shellWord } from '../report/shell-word.ts'
import { ToolError } from '../storage/tool-error.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'
import { lookOutcome } from './definition/look-outcome.ts'
import { parseSeq } from './definition/option-values.ts'
import { REDACTION, redacting } from './definition/redaction.ts'

export const command = defineCommand({
  arguments: [
    ['<log>', LOG_ARGUMENT],
    ['<seq>', 'seq of the event'],
  ],
  options: REDACTION,
  uses: ['reading', 'findings'],
  examples: ['resurface why session.jsonl 412'],
  run: async ([path, text], options, context) => {
    const seq = seqOf(text, path)
    return withLog(path, await redacting(context, options), async (log) => {
      const loaded = await log.read({ trace: eventTrace(seq) })
      const { trace } = loaded.results
      if (trace === undefined) mustBeLog(loaded)
      if (trace === undefined) {
        const last = loaded.end.last?.event.seq
        throw new ToolError(
          'usage',
          `${path} has no event ${seq}`,
          last === undefined ? 'It has no events.' : `It ends at seq ${last}.`,
        )
      }
      return lookOutcome('why', loaded, trace, context)
    })
  },
})

function seqOf(text: string, path: string): number {
  if (/^#?\d+$/.test(text)) return parseSeq(text.replace('#', ''))
  const isSwapped = !existsSync(path)
  const [log, asked] = (isSwapped ? [text, path] : [path, text]).map(shellWord)
  if (/^\d+$/.test(path) && isSwapped)
    throw new ToolError(
      'usage',
      'the log comes before the seq',
      `Did you mean: resurface why ${log} ${asked}`,
    )
  throw new ToolError(
    'usage',
    `${isSwapped ? path : text} is not a seq`,
    `To find the seq of a text: resurface find ${asked} ${log}`,
  )
}
