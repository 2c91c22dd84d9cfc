/** Tool calls and their results, in the log and on the surface. */
import { family } from '../rule.ts'
import { NOTED, REPAIR, TURN_WHY, WRITER_BUG } from './shared-words.ts'

const TURN_SOURCE = 'format.md §7.1'

export const PAIR = family(
  {
    severity: 'error',
    layer: 'meaning',
    why: 'The provider refuses the next request of the session.',
    fix: `${NOTED} ${REPAIR}`,
    repairable: false,
    source: 'session-surface specification',
  },
  {
    'pair/result-pending': {
      title: 'a tool call in the open turn has no result',
      severity: 'warning',
      why: 'The process ended while the call ran. DSH writes a closing result on the next resume.',
      fix: REPAIR,
      repairable: true,
      mendedOnResume: true,
      settledLater: true,
      guessAfterLoss: 'turn',
      source: 'format.md §6.1',
      args: { startedAt: 'seq?', callId: 'name', name: 'name' },
      message: (a) =>
        a.startedAt === undefined || a.startedAt === null
          ? `tool call ${a.callId} (${a.name}) was never recorded as started and has no result`
          : `tool call ${a.callId} (${a.name}) has no result; its outcome is unknown`,
    },
    'pair/result-missing': {
      title: 'a tool call has no result although its step is closed',
      why: 'DSH opens the log and never closes the call. The provider refuses every further request of the session.',
      fix: `The repair puts a result there that says what is known: it was never started, or its outcome is unknown. ${REPAIR}`,
      repairable: true,
      guessAfterLoss: 'turn',
      refusedByMigration: true,
      settledLater: true,
      source: 'format.md §6.1',
      args: { callId: 'name', name: 'name', closedBy: 'text', closedAt: 'seq' },
      message: (a) =>
        `tool call ${a.callId} (${a.name}) has no result; its ${a.closedBy} follows at seq ${a.closedAt}`,
    },
    'pair/call-missing': {
      title: 'a tool result has no call',
      why: 'The provider refuses a request in which a result answers no call.',
      settledLater: true,
      guessAfterLoss: 'turn',
      refusedByMigration: true,
      source: 'format.md §7.1',
      args: { callId: 'name' },
      message: (a) => `the result answers ${a.callId}, which no message of this step calls`,
    },
    'pair/result-early': {
      title: 'a tool result stands before its call',
      why: 'Neither answers the other: the provider refuses a request in which a result comes before its call.',
      guessAfterLoss: 'turn',
      refusedByMigration: true,
      settledLater: true,
      source: 'format.md §7.1',
      args: { callId: 'name', name: 'name', announcedAt: 'seq' },
      message: (a) =>
        `the result of tool call ${a.callId} (${a.name}) stands before its call at seq ${a.announcedAt}`,
    },
    'pair/call-unrecorded': {
      title: 'a tool result answers a call that was never recorded as started',
      severity: 'warning',
      why: TURN_WHY,
      fix: 'Nothing needs to be done for format 0.',
      guessAfterLoss: 'turn',
      source: TURN_SOURCE,
      args: { callId: 'name' },
      message: (a) => `no tool/call records that ${a.callId} was started before this result`,
    },
    'pair/result-repeated': {
      title: 'a tool call has two results',
      why: 'The provider refuses a request in which one call has two results.',
      guessAfterLoss: 'turn',
      settledLater: true,
      source: 'format.md §7.1',
      refusedByMigration: true,
      args: { callId: 'name', firstAt: 'seq' },
      message: (a) => `tool call ${a.callId} has a result already, at seq ${a.firstAt}`,
    },
    'pair/id-repeated': {
      title: 'a tool call id is announced again while the first call waits',
      why: 'One of the two calls can never be answered; the provider refuses the request.',
      fix: `The repair gives the first call a result that says what is known of it. ${REPAIR}`,
      guessAfterLoss: 'turn',
      settledLater: true,
      source: 'format.md §7.3',
      refusedByMigration: true,
      args: { callId: 'name', firstAt: 'seq' },
      message: (a) => `tool call ${a.callId} is announced again; the call of seq ${a.firstAt} still waits`,
    },
    'pair/id-reused': {
      title: 'tool call ids come back in later calls',
      severity: 'info',
      why: 'Some providers count ids anew. DSH pairs calls and results by their place; tools that pair by id alone err.',
      fix: 'Nothing needs to be done.',
      guessAfterLoss: 'turn',
      source: 'format.md §6.1',
      args: { callId: 'name', firstAt: 'seq', scope: 'text', times: 'count' },
      message: (a) =>
        `tool call id ${a.callId} of seq ${a.firstAt} comes back in ${a.scope}${typeof a.times === 'number' && a.times > 1 ? `; so do ${a.times - 1} more` : ''}`,
    },
    'pair/id-empty': {
      title: 'a tool call has no id or no name',
      why: 'The provider refuses it, and calls without an id cannot be told apart.',
      fix: `Ids are made from session and seq; a name that nothing tells stays empty. ${REPAIR}`,
      guessAfterLoss: 'turn',
      refusedByMigration: true,
      source: 'format.md §4.1',
      args: { member: 'name' },
      message: (a) => `a tool call has an empty ${a.member}`,
    },
    'pair/arguments-broken': {
      title: 'the arguments of a tool call are not JSON',
      severity: 'warning',
      why: 'Some providers refuse a request with such a call, and then every request of the session.',
      fix: 'A compaction that leaves the call out mends the session.',
      guessAfterLoss: 'turn',
      source: 'format.md §4.1',
      args: { callId: 'name', name: 'name' },
      message: (a) => `the arguments of tool call ${a.callId} (${a.name}) are not JSON`,
    },
    'pair/unclosable': {
      title: 'a waiting tool call without an id cannot be closed',
      why: 'DSH closes it on resume with a result that names no call, refuses that result, and so refuses the log.',
      fix: WRITER_BUG,
      refused: true,
      settledLater: true,
      guessAfterLoss: 'turn',
      source: 'format.md §6.1, §4.4',
      args: { name: 'name' },
      message: (a) => `the waiting tool call ${a.name} has no id, so no result can close it`,
    },
    'pair/arguments-differ': {
      title: 'a tool call ran with other arguments or another name than announced',
      severity: 'warning',
      why: 'The model is told something else than what happened. Readers of format 4 refuse the log.',
      fix: WRITER_BUG,
      guessAfterLoss: 'turn',
      refusedByMigration: true,
      source: 'format.md §7.3',
      args: { callId: 'name', member: 'name', advertisedAt: 'seq' },
      message: (a) =>
        `tool call ${a.callId} ran with ${a.member === 'name' ? 'another name' : 'other arguments'} than the message at seq ${a.advertisedAt} announced`,
    },
    'pair/shadowed': {
      title: 'a broken tool exchange is no longer shown to the model',
      severity: 'warning',
      why: 'A compaction or another replacement has taken its place, so the next request is accepted. Migrations to later formats refuse the log.',
      fix: 'Nothing to do: the session can go on in its format.',
      refusedByMigration: true,
      source: 'format.md §5, §7.1',
      args: {
        callId: 'name',
        what: ['result-missing', 'call-missing', 'result-early', 'result-repeated', 'id-repeated'],
      },
      message: (a) => `${BROKEN[a.what]} ${a.callId}; a replacement has taken it off the surface`,
    },
    'pair/surface-call-alone': {
      title: 'the model sees a tool call without its result',
      fix: `The repair puts a note in words in its place. ${REPAIR}`,
      repairable: true,
      settledLater: true,
      guessAfterLoss: 'ever',
      mendedByNote: true,
      args: { callId: 'name', takenBy: 'seq?' },
      message: (a) => `the surface holds tool call ${a.callId} without its result${takenText(a.takenBy)}`,
    },
    'pair/surface-result-alone': {
      title: 'the model sees a tool result without its call',
      fix: `The repair puts a note in words in its place. ${REPAIR}`,
      repairable: true,
      settledLater: true,
      guessAfterLoss: 'ever',
      mendedByNote: true,
      args: { callId: 'name', takenBy: 'seq?' },
      message: (a) =>
        `the surface holds the result of ${a.callId} without its call before it${takenText(a.takenBy)}`,
    },
    'pair/surface-interrupted': {
      title: 'another message stands between a tool call and its result on the surface',
      why: 'Providers want every result right after the message that called for it.',
      fix: `The repair puts notes in words in the place of both halves. ${REPAIR}`,
      repairable: true,
      settledLater: true,
      guessAfterLoss: 'ever',
      mendedByNote: true,
      args: { callId: 'name', callAt: 'seq' },
      message: (a) => `this message stands between tool call ${a.callId} (seq ${a.callAt}) and its result`,
    },
    'pair/surface-split': {
      title: 'a replacement split a tool call from its result, and a later event mended it',
      severity: 'warning',
      why: 'Between the two the provider would have refused every request. What is sent now is whole again.',
      fix: 'Nothing needs to be done for this log. Report it to the author of the tool that wrote the replacement.',
      guessAfterLoss: 'ever',
      args: { lacks: ['call', 'result', 'order'], callId: 'name', mendedBy: 'seq' },
      message: (a) =>
        `this replacement ${SPLIT[a.lacks]} of tool call ${a.callId}; seq ${a.mendedBy} mended it`,
    },
  },
)

const BROKEN = {
  'result-missing': 'there is no result of tool call',
  'call-missing': 'there is no call of the result of',
  'result-early': 'the result comes before its call, for tool call',
  'result-repeated': 'there are two results of tool call',
  'id-repeated': 'two calls have the id',
}

const SPLIT = {
  call: 'took the call away from the result',
  result: 'took the result away from the call',
  order: 'stood between call and result',
}

function takenText(seq: number | undefined): string {
  return seq === undefined ? '' : `, which the replacement at seq ${seq} took away`
}
