/** `diff`: what differs between two logs, or between two moments of one. */
import { DIFF_LEVELS, type DiffLevel } from '../core/diff/change.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type Command, LOG_ARGUMENT } from './definition/command.ts'
import { parseList, parseSeq } from './definition/option-values.ts'
import { diffLogs } from './diff-logs.ts'
import { diffMoments } from './diff-moments.ts'

export const command: Command = {
  arguments: [
    ['<a>', LOG_ARGUMENT],
    ['[b]', 'the log to compare it with; absent when two moments of one log are compared'],
  ],
  options: [
    {
      flags: '--level <levels>',
      description:
        'what to compare, separated by commas: bytes (the records as they are stored), log (the events, wherever they are stored), surface (the messages for the model); default: all',
      parse: parseLevels,
    },
    { flags: '--from <seq>', description: 'compare the surface after this event', parse: parseSeq },
    {
      flags: '--to <seq>',
      description: 'with the surface after this one (default: the last)',
      parse: parseSeq,
    },
  ],
  examples: [
    'resurface diff session.jsonl session.repaired.jsonl',
    'resurface diff session.jsonl store.db#session-2f6c --level log,surface',
    'resurface diff session.jsonl --from 100 --to 412',
  ],
  run: ([nameA, nameB], options, context) => {
    const from = options.from as number | undefined
    const to = options.to as number | undefined
    const levels = options.level as readonly DiffLevel[] | undefined
    if (nameB === undefined) return diffMoments(nameA as string, { from, to, levels }, context)
    if (from !== undefined || to !== undefined)
      throw new ToolError(
        'usage',
        '--from and --to are moments of one log',
        'Name one log, or leave them out.',
      )
    if (nameA === '-' && nameB === '-') throw new ToolError('usage', 'standard input can be read once only')
    return diffLogs(nameA as string, nameB as string, levels ?? DIFF_LEVELS, context)
  },
}

function parseLevels(text: string): readonly DiffLevel[] {
  const named = parseList(text)
  const unknown = named.find((name) => !DIFF_LEVELS.includes(name as DiffLevel))
  if (unknown !== undefined || named.length === 0)
    throw new ToolError('usage', `"${unknown ?? text}" is no level; write bytes, log or surface`)
  return DIFF_LEVELS.filter((level) => named.includes(level))
}
