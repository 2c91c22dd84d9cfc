/** The order of events: sequence numbers and times. */
import { plural } from '../grammar.ts'
import { family } from '../rule.ts'
import { REPAIR } from './shared-words.ts'

export const ORDER = family(
  {
    severity: 'error',
    layer: 'order',
    fix: REPAIR,
    repairable: true,
    source: 'format.md §2.6',
  },
  {
    'order/seq-gap': {
      title: 'events are missing',
      why: 'DSH refuses the whole log: seqs must follow one another.',
      fix: `Look for the missing events in a backup first; a repair closes the gap without them. ${REPAIR}`,
      refused: true,
      args: { expected: 'seq', got: 'seq', missing: 'count' },
      message: (a) =>
        `expected seq ${a.expected}, found ${a.got}: ${plural(a.missing, 'event is', 'events are')} missing`,
    },
    'order/seq-repeated': {
      title: 'events use seqs that were taken before',
      why: 'DSH refuses the whole log. Two writers, or a recovery and a writer that lived on, appended to one file.',
      fix: `The branch that lives on stays, the other one goes to quarantine; --branch chooses. ${REPAIR}`,
      refused: true,
      unread: true,
      args: {
        rows: 'count',
        first: 'seq',
        last: 'seq',
        expected: 'seq',
        kind: ['identical', 'closers', 'late-closers', 'packed-overlap', 'two-writers', 'unknown'],
        livesOn: 'count?',
        stays: 'text?',
        earlier: 'value',
        later: 'value',
      },
      message: (a) => {
        const seqs = a.rows === 1 ? `${a.first}` : `${a.first} to ${a.last}`
        return `expected seq ${a.expected}, found ${seqs} again (${plural(a.rows, 'event')})${CLASHES[a.kind]}${livesOnText(a.livesOn ?? 0)}`
      },
    },
    'order/seq-invalid': {
      title: 'a row has no usable seq',
      why: 'DSH refuses the whole log: the row has no place in it.',
      refused: true,
      unread: true,
      args: { expected: 'seq', got: 'value' },
      message: (a) => `expected seq ${a.expected}, found ${a.got}`,
    },
    'order/tail-break': {
      title: 'the numbering breaks after the last turn end',
      severity: 'warning',
      why: 'DSH takes it for a crash tail: it drops this row and everything after it on the next resume.',
      mendedOnResume: true,
      settledLater: true,
      unread: true,
      args: { expected: 'seq', got: 'value' },
      message: (a) => `expected seq ${a.expected}, found ${a.got}; DSH drops this row and all that follows`,
    },
    'order/rows-dropped': {
      title: 'DSH would drop valid events without a word',
      why: 'They stand after a break and no turn end follows, so DSH takes them for a crash tail.',
      fix: `Do not resume the session in DSH before it is mended: that cuts these events off. ${REPAIR}`,
      settledLater: true,
      unread: true,
      args: { rows: 'count', first: 'seq', last: 'seq' },
      message: (a) =>
        a.rows === 1
          ? `a valid event (seq ${a.first}) stands after the break; DSH drops it silently`
          : `${plural(a.rows, 'valid event')} (seq ${a.first} to ${a.last}) stand after the break; DSH drops them silently`,
    },
    'order/time-back': {
      title: 'time goes back by more than a day',
      severity: 'info',
      why: 'A clock was set, or parts of two logs stand in one file. DSH does not mind.',
      fix: 'Nothing needs to be done.',
      repairable: false,
      source: 'format.md §2.3',
      args: { days: 'count' },
      message: (a) => `time goes back by ${plural(a.days, 'day')}`,
    },
  },
)

const CLASHES = {
  identical: ': the same events written twice',
  closers: ': a recovery had closed the turn, and the writer lived on behind it',
  'late-closers': ': a recovery closed the turn although the writer had gone on',
  'packed-overlap': ': a packed row covers events that are there already',
  unknown: '',
  'two-writers': ': two writers appended from the same place',
}

function livesOnText(count: number): string {
  return count > 0 ? `; the later branch lives on with ${count} more` : ''
}
