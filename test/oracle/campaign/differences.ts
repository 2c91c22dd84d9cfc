/**
 * The verdicts of the campaign that differ and stay so, each with its reason. Every other difference fails the campaign.
 */
import type { Mismatch } from './campaign.ts'

interface KeptDifference {
  readonly type: string
  readonly path: RegExp
  readonly change?: string
  readonly reason: string
}

const DIFFERENCES: readonly KeptDifference[] = [
  {
    type: 'session',
    path: /^id$/,
    change: 'empty',
    reason: 'an empty id names no file: the store refuses the log before its rows are read',
  },
  {
    type: 'turn/end',
    path: /^(?:|data|time)$/,
    reason:
      'the published reader cuts a damaged last turn end off as a tail; resurface takes the row for a turn end, as the readers of format 2 do',
  },
  {
    type: 'tool/result',
    path: /^sourceEventSeqs\[\]$/,
    change: 'one more',
    reason: 'a result that cites itself passes the migration to format 2, and no session can be made of it',
  },
  {
    type: 'subagent/descriptor',
    path: /^data\.version$/,
    change: 'minus zero',
    reason: 'minus zero in a version that the migration from format 1 only counts; nobody writes it',
  },
  {
    type: 'steering/message',
    path: /^data\.turn$/,
    change: 'minus zero',
    reason: 'minus zero in a member of early builds that reading the log drops; nobody writes it',
  },
  {
    type: 'turn/end',
    path: /^data\.reason\.step$/,
    change: 'minus zero',
    reason: 'minus zero in a member of early builds that reading the log drops; nobody writes it',
  },
  {
    type: 'user/message',
    path: /^data\.source\.round$/,
    change: 'minus zero',
    reason: 'the published reader compares the round of an early goal with 0, which minus zero equals',
  },
]

export function isKept({ mutant }: Mismatch): boolean {
  return DIFFERENCES.some(
    ({ type, path, change }) =>
      type === mutant.type && path.test(mutant.path) && (change === undefined || change === mutant.change),
  )
}
