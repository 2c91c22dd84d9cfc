/** The inbox of a session. */
import { family } from '../rule.ts'
import { MEND, REPAIR } from './shared-words.ts'

export const INBOX = family(
  {
    severity: 'error',
    layer: 'meaning',
    why: 'DSH opens the session to read and cannot resume it: it replays the inbox and stops at this event.',
    repairable: false,
    source: 'format.md §4.3',
  },
  {
    'inbox/out-of-range': {
      repairs: ['fit-inbox'],
      title: 'an inbox splice does not fit the inbox',
      fix: `A repair makes the splice fit the inbox. ${REPAIR}`,
      repairable: true,
      guessAfterLoss: 'ever',
      stopsResume: true,
      args: { target: 'value', start: 'value', removedCount: 'value', length: 'count' },
      message: (a) =>
        `the splice of ${a.target} at ${a.start} (${a.removedCount} removed) does not fit a list of ${a.length}`,
    },
    'inbox/id-repeated': {
      title: 'a message is put into the inbox where it is waiting already',
      fix: MEND,
      guessAfterLoss: 'ever',
      stopsResume: true,
      args: { id: 'value' },
      message: (a) => `message ${a.id} is waiting in the inbox already`,
    },
    'inbox/waiting': {
      title: 'a message waits in the inbox',
      severity: 'info',
      why: 'It was queued and not taken up yet. When the session is resumed, DSH sends it to the model.',
      fix: 'Nothing to do, if it is still meant to be sent.',
      settledLater: true,
      guessAfterLoss: 'ever',
      args: { text: 'text', others: 'count' },
      message: (a) =>
        `${a.text === '' ? 'a message' : JSON.stringify(a.text)}${a.others > 0 ? ` and ${a.others} more wait` : ' waits'} for the next turn or step`,
    },
    'inbox/stalled': {
      title: 'a message was accepted and never answered',
      severity: 'info',
      why: 'The log ends in a turn without a step: the process ended, or hung, before it asked the model.',
      fix: 'Resume the session. If the message is not answered, send it again.',
      settledLater: true,
      source: 'format.md §4.2',
      args: { turn: 'value', text: 'text', others: 'count' },
      message: (a) =>
        `stalled: turn ${a.turn} has no step, and a message waits: ${JSON.stringify(a.text)}${a.others > 0 ? ` and ${a.others} more` : ''}`,
    },
  },
)
