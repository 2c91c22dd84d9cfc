/** The order of events: sequence numbers and times. */
import { plural } from '../grammar.ts'
import { family, type Worded } from '../rule.ts'
import { REPAIR } from './shared-words.ts'

/** Rows where another one was due. */
const ROWS = { rows: 'count', first: 'seq', last: 'seq', expected: 'seq' } as const

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
      repairs: ['fill-gap', 'close-gap', 'sort-rows', 'drop-rows'],
      title: 'events are missing',
      why: 'Records were lost, or never written. Sequence numbers must be consecutive, so DSH refuses the whole log.',
      fix: `Look for the missing events in a backup first. A repair puts back what the neighbours of the gap prove and goes on without the rest. ${REPAIR}`,
      refused: true,
      args: { expected: 'seq', got: 'seq', missing: 'count' },
      message: (a) =>
        `expected seq ${a.expected}, found ${a.got}: ${plural(a.missing, 'event is', 'events are')} missing`,
    },
    'order/seq-repeated': {
      repairs: ['drop-branch', 'drop-rows', 'move-rows'],
      title: 'there are duplicate sequence numbers',
      why: 'Two processes, or a recovery and a process that kept writing, appended to the same file. Sequence numbers must be consecutive, so DSH refuses the whole log.',
      fix: `A repair keeps the branch that continues and moves the other one to quarantine; its option --branch chooses another. ${REPAIR}`,
      refused: true,
      unread: true,
      args: {
        ...ROWS,
        kind: ['identical', 'closers', 'late-closers', 'packed-overlap', 'two-writers', 'unknown'],
        livesOn: 'count?',
        stays: 'text?',
        earlier: 'value',
        later: 'value',
      },
      message: (a) =>
        `${foundText(a)} again (${plural(a.rows, 'event')})${a.kind === 'two-writers' && a.first === 0 ? ': another log begins here' : CLASHES[a.kind]}${livesOnText(a.livesOn ?? 0)}`,
    },
    'order/misplaced': {
      repairs: ['sort-rows', 'move-rows'],
      title: 'records are out of order or have a wrong number',
      why: 'DSH refuses the whole log: sequence numbers must be consecutive. Nothing is lost by it: no other event has the number that is due.',
      refused: true,
      unread: true,
      args: { ...ROWS, kind: ['out-of-order', 'misnumbered'], belongsAt: 'seq', belongsTo: 'seq' },
      message: (a) => {
        const what =
          a.kind === 'out-of-order'
            ? `out of order; no other event has ${a.rows === 1 ? 'this number' : 'these numbers'}`
            : `a record has a wrong number and belongs at seq ${a.belongsAt}`
        return `${foundText(a)}: ${what}`
      },
    },
    'order/seq-invalid': {
      repairs: ['move-rows', 'drop-rows'],
      title: 'a record has no valid sequence number',
      why: 'DSH cannot tell where the record belongs and refuses the whole log.',
      refused: true,
      unread: true,
      args: { expected: 'seq', got: 'value' },
      message: (a) => `expected seq ${a.expected}, found ${a.got}`,
    },
    'order/tail-break': {
      repairs: ['move-rows', 'drop-rows'],
      title: 'the numbering breaks after the last turn end',
      severity: 'warning',
      why: 'DSH takes it for the remains of a crash: when it resumes the session it drops this record and everything after it.',
      mendedOnResume: true,
      settledLater: true,
      unread: true,
      args: { expected: 'seq', got: 'value' },
      message: (a) =>
        `expected seq ${a.expected}, found ${a.got}; DSH drops this record and everything after it`,
    },
    'order/rows-dropped': {
      repairs: ['move-rows', 'drop-rows'],
      title: 'DSH would silently drop valid events',
      why: 'They come after damage and no turn end follows, so DSH takes them for the remains of a crash: it opens the session without them and removes them on the next resume.',
      fix: `Repair the log before DSH resumes the session. ${REPAIR}`,
      settledLater: true,
      unread: true,
      args: { rows: 'count', first: 'seq', last: 'seq' },
      message: (a) =>
        a.rows === 1
          ? `a valid event (seq ${a.first}) comes after the break; DSH drops it silently`
          : `${plural(a.rows, 'valid event')} (seq ${a.first} to ${a.last}) come after the break; DSH drops them silently`,
    },
    'order/time-back': {
      title: 'time goes back by more than a day',
      severity: 'info',
      why: 'A clock was set back, or parts of two logs are in one file. DSH does not check times.',
      fix: 'Nothing to do.',
      repairable: false,
      source: 'format.md §2.3',
      args: { days: 'count' },
      message: (a) => `time goes back by ${plural(a.days, 'day')}`,
    },
  },
)

const CLASHES = {
  identical: ': the same events written twice',
  closers: ': a recovery closed the turn, and the old process kept writing',
  'late-closers': ': a recovery closed the turn although the old process had kept writing',
  'packed-overlap': ': a packed row covers events that are already there',
  unknown: '',
  'two-writers': ': two processes appended from the same place',
}

function foundText({ rows, first, last, expected }: Worded<typeof ROWS>): string {
  return `expected seq ${expected}, found ${rows === 1 ? first : `${first} to ${last}`}`
}

function livesOnText(count: number): string {
  return count > 0 ? `; the later branch continues with ${plural(count, 'event')}` : ''
}
