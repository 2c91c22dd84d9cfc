/** `diff`: what differs between two logs, or between two moments of one. */
import { DIFF_LEVELS, type DiffLevel } from '../core/diff/change.ts'
import { ToolError } from '../storage/tool-error.ts'
import { defineCommand, LOG_ARGUMENT } from './definition/command.ts'
import { value } from './definition/option.ts'
import { parseList, parseSeq } from './definition/option-values.ts'
import { diffLogs } from './diff/logs.ts'
import { diffMoments } from './diff/moments.ts'

export const command = defineCommand({
  arguments: [
    ['<a>', LOG_ARGUMENT],
    ['[b]', 'the log to compare it with; absent when two moments of one log are compared'],
  ],
  options: {
    level: value(
      '<levels>',
      parseLevels,
      'what to compare, separated by commas: bytes (the records as they are stored), log (the events, wherever they are stored), surface (the messages for the model); default: all',
    ),
    from: value('<seq>', parseSeq, 'compare the surface after this event'),
    to: value('<seq>', parseSeq, 'with the surface after this one (default: the last)'),
  },
  uses: ['reading', 'limit'],
  exits: {
    0: 'no difference',
    1: 'a difference',
    4: 'not known: part of a log could not be read, is over a limit, or changed while it was read',
  },
  examples: [
    'resurface diff session.jsonl session.repaired.jsonl',
    'resurface diff session.jsonl store.db#session-2f6c --level log,surface',
    'resurface diff session.jsonl --from 100 --to 412',
  ],
  run: async ([nameA, nameB], { from, to, level: levels }, context) => {
    if (nameB === undefined) return diffMoments(nameA, { from, to, levels }, context)
    if (from !== undefined || to !== undefined)
      throw new ToolError(
        'usage',
        '--from and --to are moments of one log',
        'Name one log, or leave them out.',
      )
    if (nameA === '-' && nameB === '-') throw new ToolError('usage', 'standard input can be read once only')
    return diffLogs(nameA, nameB, levels ?? DIFF_LEVELS, context)
  },
})

function parseLevels(text: string): readonly DiffLevel[] {
  const named = parseList(text)
  const unknown = named.find((name) => !DIFF_LEVELS.includes(name as DiffLevel))
  if (unknown !== undefined || named.length === 0)
    throw new ToolError('usage', `"${unknown ?? text}" is no level; write bytes, log or surface`)
  return DIFF_LEVELS.filter((level) => named.includes(level))
}
