/** Tool calls and their results, in the log and on the surface. */
import { family, wording } from '../rule.ts'
import {
  ENFORCED,
  inFormat4,
  KEEP,
  MEND,
  NOTED,
  NOTHING_BEFORE_4,
  NOTHING_BUT_RESUME,
  REPAIR,
  TURN_WHY,
} from './shared-words.ts'

const TURN_SOURCE = 'format.md §7.1'

const RESULT_INSERTED = `A repair inserts a result that says what is known: the call never started, or its outcome is unknown. ${REPAIR}`

const DIFFERS = wording({
  title: 'a tool call ran with other arguments or another name than announced',
  args: { callId: 'name', member: 'name', advertisedAt: 'seq' },
  message: (a) =>
    `tool call ${a.callId} ran with ${a.member === 'name' ? 'another name' : 'other arguments'} than the message at seq ${a.advertisedAt} announced`,
})

const ANNOUNCED_AGAIN = wording({
  title: 'a tool call id is announced again while the first call waits',
  args: { callId: 'name', firstAt: 'seq' },
  message: (a) => `tool call ${a.callId} is announced again; the call of seq ${a.firstAt} still waits`,
})

const BROKEN = {
  'result-missing': 'there is no result of tool call',
  'call-missing': 'there is no call of the result of',
  'result-early': 'the result comes before its call, for tool call',
  'result-repeated': 'there are two results of tool call',
  'id-repeated': 'two calls have the id',
  'id-empty': 'an id or a name is missing of tool call',
} as const

const SPLIT = {
  call: 'took the call away from the result',
  result: 'took the result away from the call',
  order: 'came between call and result',
} as const

/** Of what a repair puts a note in the place of. */
const ALONE = {
  repairs: ['note-exchanges'],
  fix: `A repair puts a text note in its place. ${REPAIR}`,
  repairable: true,
  settledLater: true,
  guessAfterLoss: 'ever',
  refusedByProvider: true,
  args: { callId: 'name', takenBy: 'seq?' },
} as const

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
      repairs: ['close-turn'],
      title: 'a tool call in the open turn has no result',
      severity: 'warning',
      why: 'The process ended while the call ran, or it is still running. DSH writes a closing result when it resumes the session.',
      fix: NOTHING_BUT_RESUME,
      repairable: true,
      mendedOnResume: true,
      settledLater: true,
      guessAfterLoss: 'turn',
      source: 'format.md §6.1',
      args: { startedAt: 'seq?', callId: 'name', name: 'name' },
      message: (a) =>
        a.startedAt === undefined
          ? `tool call ${a.callId} (${a.name}) was never recorded as started and has no result`
          : `tool call ${a.callId} (${a.name}) has no result; its outcome is unknown`,
    },
    'pair/result-missing': {
      repairs: ['insert-results'],
      title: 'a tool call has no result although its step is closed',
      why: 'The step of the call ended without its result, and DSH does not add one later. The provider refuses the next request, which shows the call without a result.',
      fix: RESULT_INSERTED,
      repairable: true,
      guessAfterLoss: 'turn',
      refusedByMigration: true,
      settledLater: true,
      source: 'format.md §6.1',
      refusedByProvider: true,
      args: { callId: 'name', name: 'name', closedBy: 'text', closedAt: 'seq' },
      message: (a) =>
        `tool call ${a.callId} (${a.name}) has no result when its step is over (${a.closedBy}, seq ${a.closedAt})`,
    },
    'pair/call-missing': {
      repairs: ['note-results', 'note-exchanges'],
      title: 'a tool result has no call',
      why: 'The call is lost, or the result names another one. The provider refuses a request in which a result answers no call.',
      settledLater: true,
      guessAfterLoss: 'turn',
      refusedByMigration: true,
      source: 'format.md §7.1',
      refusedByProvider: true,
      args: { callId: 'name' },
      message: (a) => `the result answers ${a.callId}, which no message of this step calls`,
    },
    'pair/result-early': {
      title: 'a tool result comes before its call',
      why: 'The two were written in the wrong order, so neither answers the other. The provider refuses a request in which a result comes before its call.',
      guessAfterLoss: 'turn',
      refusedByMigration: true,
      settledLater: true,
      source: 'format.md §7.1',
      refusedByProvider: true,
      args: { callId: 'name', name: 'name', announcedAt: 'seq' },
      message: (a) =>
        `the result of tool call ${a.callId} (${a.name}) comes before its call at seq ${a.announcedAt}`,
    },
    'pair/call-unrecorded': {
      title: 'a tool result answers a call that was never recorded as started',
      severity: 'warning',
      why: TURN_WHY,
      fix: NOTHING_BEFORE_4,
      guessAfterLoss: 'turn',
      source: TURN_SOURCE,
      args: { callId: 'name' },
      message: (a) => `no tool/call records that ${a.callId} was started before this result`,
    },
    'pair/result-repeated': {
      title: 'a tool call has two results',
      why: 'A result was written twice, or a recovery wrote one and the tool another. The provider refuses a request in which one call has two results.',
      guessAfterLoss: 'turn',
      settledLater: true,
      source: 'format.md §7.1',
      refusedByMigration: true,
      refusedByProvider: true,
      args: { callId: 'name', firstAt: 'seq' },
      message: (a) => `tool call ${a.callId} has a result already, at seq ${a.firstAt}`,
    },
    'pair/id-repeated': {
      repairs: ['insert-results'],
      ...ANNOUNCED_AGAIN,
      why: 'One of the two calls can never be answered, and the provider refuses the next request.',
      fix: `A repair gives the first call a result that says what is known of it. ${REPAIR}`,
      guessAfterLoss: 'turn',
      settledLater: true,
      source: 'format.md §7.3',
      refusedByMigration: true,
      refusedByProvider: true,
    },
    'pair/id-reused': {
      title: 'tool call ids come back in later calls',
      severity: 'info',
      why: 'Some providers start their ids again. DSH pairs calls and results by their place; a tool that pairs them by id alone goes wrong.',
      fix: 'Nothing to do.',
      guessAfterLoss: 'turn',
      source: 'format.md §6.1',
      args: { callId: 'name', firstAt: 'seq', scope: 'text', times: 'count' },
      message: (a) =>
        `tool call id ${a.callId} of seq ${a.firstAt} comes back in ${a.scope}${a.times > 1 ? `; so do ${a.times - 1} more` : ''}`,
    },
    'pair/id-empty': {
      repairs: ['set-identities', 'note-exchanges'],
      title: 'a tool call has no id or no name',
      why: 'A result cannot name a call without an id, and a provider takes no call without a name. It refuses the next request.',
      fix: `A repair makes ids from the session and the seq. A missing name cannot be recovered: the model gets the exchange as a text note. ${REPAIR}`,
      repairable: true,
      settledLater: true,
      guessAfterLoss: 'turn',
      refusedByMigration: true,
      source: 'format.md §4.1',
      refusedByProvider: true,
      args: { member: 'name', callId: 'name' },
      message: (a) =>
        `${a.member === 'name' && a.callId !== '' ? `tool call ${a.callId}` : 'a tool call'} has an empty ${a.member}`,
    },
    'pair/arguments-broken': {
      title: 'the arguments of a tool call are not JSON',
      severity: 'warning',
      why: 'The model wrote arguments that are not JSON. Some providers refuse a request with such a call, and with it every later request of the session.',
      fix: 'Nothing to do while requests are accepted. If they are refused, compact the session in DSH, which leaves the call out.',
      guessAfterLoss: 'turn',
      source: 'format.md §4.1',
      refusedByProvider: true,
      args: { callId: 'name', name: 'name' },
      message: (a) => `the arguments of tool call ${a.callId} (${a.name}) are not JSON`,
    },
    'pair/unclosable': {
      title: 'a waiting tool call without an id cannot be closed',
      why: 'On resume DSH closes the call with a result that names no call, refuses that result, and so cannot open the log.',
      fix: MEND,
      refused: true,
      settledLater: true,
      guessAfterLoss: 'turn',
      source: 'format.md §6.1, §4.4',
      args: { name: 'name' },
      message: (a) => `the waiting tool call ${a.name} has no id, so no result can close it`,
    },
    'pair/arguments-differ': {
      ...DIFFERS,
      severity: 'warning',
      why: 'The model was shown one call and another one ran. By itself this does not stop DSH before format 4, whose readers refuse the log.',
      fix: KEEP,
      guessAfterLoss: 'turn',
      refusedByMigration: true,
      source: 'format.md §7.3',
    },
    'pair/shadowed': {
      title: 'a broken tool exchange is no longer shown to the model',
      severity: 'warning',
      why: 'A compaction or another replacement has taken its place, so the next request is accepted. Migrations to later formats refuse the log.',
      fix: 'Nothing to do while the session stays in its format. For a later release, run "resurface repair LOG --target format-4".',
      refusedByMigration: true,
      source: 'format.md §5, §7.1',
      args: {
        callId: 'name',
        what: BROKEN,
      },
      message: (a) => `${a.what} ${a.callId || '(no id)'}; a replacement has taken it off the surface`,
    },
    'pair/surface-call-alone': {
      ...ALONE,
      title: 'the model sees a tool call without its result',
      message: (a) => `the surface has tool call ${a.callId} without its result${takenText(a.takenBy)}`,
    },
    'pair/surface-result-alone': {
      ...ALONE,
      title: 'the model sees a tool result without its call',
      message: (a) =>
        `the surface has the result of ${a.callId} without its call before it${takenText(a.takenBy)}`,
    },
    'pair/surface-interrupted': {
      repairs: ['note-exchanges'],
      title: 'another message is between a tool call and its result on the surface',
      why: 'Providers require every result right after the message with its call, and refuse the next request.',
      fix: `A repair puts text notes in the place of both. ${REPAIR}`,
      repairable: true,
      settledLater: true,
      guessAfterLoss: 'ever',
      refusedByProvider: true,
      args: { callId: 'name', callAt: 'seq' },
      message: (a) => `this message is between tool call ${a.callId} (seq ${a.callAt}) and its result`,
    },
    'pair/surface-split': {
      title: 'a replacement separated a tool call from its result for a while',
      severity: 'warning',
      why: 'Until a later event put it right, the provider would have refused every request. What is sent now is complete.',
      fix: 'Nothing to do.',
      guessAfterLoss: 'ever',
      args: { lacks: SPLIT, callId: 'name', mendedBy: 'seq' },
      message: (a) => `this replacement ${a.lacks} of tool call ${a.callId}; seq ${a.mendedBy} put it right`,
    },
  },
)

export const CALL_RELATION = family(
  {
    ...ENFORCED,
    why: inFormat4('every call must be announced once, started as announced, and answered in its step'),
  },
  {
    'relation/call-not-announced': {
      repairs: ['mend-rows'],
      title: 'a tool ran that no message called',
      args: { callId: 'name' },
      message: (a) => `no message of this step announces tool call ${a.callId}`,
    },
    'relation/call-started-twice': {
      title: 'a tool call was started twice',
      args: { callId: 'name', startedAt: 'seq' },
      message: (a) => `tool call ${a.callId} was started already, at seq ${a.startedAt}`,
    },
    'relation/call-differs': { ...DIFFERS, repairs: ['mend-rows'] },
    'relation/call-unanswered': {
      repairs: ['insert-results'],
      title: 'a step ends before one of its tool calls has a result',
      fix: RESULT_INSERTED,
      repairable: true,
      args: { callId: 'name', type: 'name', advertisedAt: 'seq' },
      message: (a) => `${a.type} comes before the result of tool call ${a.callId} (seq ${a.advertisedAt})`,
    },
    'relation/call-announced-again': { ...ANNOUNCED_AGAIN, repairs: ['insert-results'] },
    'relation/result-without-call': {
      repairs: ['mend-rows', 'note-results', 'note-exchanges'],
      title: 'a tool result answers no waiting call',
      args: { callId: 'value' },
      message: (a) => `no tool call waits for this result: it names ${a.callId}`,
    },
    'relation/result-not-started': {
      repairs: ['mend-relations'],
      title: 'a tool result answers a call that was never started',
      args: { callId: 'name' },
      message: (a) =>
        `tool call ${a.callId} was never started, and this is not the standard result that DSH writes for that`,
    },
  },
)

function takenText(seq: number | undefined): string {
  return seq === undefined ? '' : `, which the replacement at seq ${seq} took away`
}
