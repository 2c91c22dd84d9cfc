/** Turns and steps. */
import { family } from '../rule.ts'
import { REPAIR, TURN_WHY, WRITER_BUG } from './shared-words.ts'

const TURN_SOURCE = 'format.md §7.1'

export const TURN = family(
  {
    severity: 'warning',
    layer: 'meaning',
    why: TURN_WHY,
    fix: 'Nothing needs to be done for format 0.',
    repairable: false,
    guessAfterLoss: 'turn',
    source: TURN_SOURCE,
  },
  {
    'turn/open': {
      title: 'the log ends inside a turn',
      why: 'The process ended before the turn did. DSH closes it on the next resume.',
      fix: REPAIR,
      repairable: true,
      mendedOnResume: true,
      settledLater: true,
      source: 'format.md §6.1',
      args: { step: 'value?', turn: 'value' },
      message: (a) =>
        a.step === undefined
          ? `turn ${a.turn} was never closed`
          : `turn ${a.turn} was never closed, and neither was its step ${a.step}`,
    },
    'turn/nested': {
      title: 'a turn starts while another is open',
      refusedByMigration: true,
      args: { turn: 'value', open: 'number' },
      message: (a) => `turn ${a.turn} starts while turn ${a.open} is still open`,
    },
    'turn/number': {
      title: 'turn numbers do not follow one another',
      refusedByMigration: true,
      args: { expected: 'number', turn: 'value' },
      message: (a) => `expected turn ${a.expected}, found ${a.turn}`,
    },
    'turn/end-mismatch': {
      title: 'a turn end names a turn that is not open',
      refusedByMigration: true,
      args: { turn: 'value', open: 'number?' },
      message: (a) => `turn/end names turn ${a.turn}; open is ${open(a.open, 'turn')}`,
    },
    'turn/open-step': {
      title: 'a turn ends while a step is open',
      refusedByMigration: true,
      args: { turn: 'value', step: 'number' },
      message: (a) => `turn ${a.turn} ends while step ${a.step} is still open`,
    },
    'turn/outside': {
      title: 'an event that belongs into a turn stands outside any',
      refusedByMigration: true,
      args: { type: 'name' },
      message: (a) => `${a.type} stands outside any turn`,
    },
  },
)

export const STEP = family(
  {
    severity: 'warning',
    layer: 'meaning',
    why: TURN_WHY,
    fix: 'Nothing needs to be done for format 0.',
    repairable: false,
    guessAfterLoss: 'turn',
    source: TURN_SOURCE,
  },
  {
    'step/no-turn': {
      title: 'a step starts in a turn that is not open',
      refusedByMigration: true,
      args: { turn: 'value', open: 'number?' },
      message: (a) => `step/start names turn ${a.turn}; open is ${open(a.open, 'turn')}`,
    },
    'step/nested': {
      title: 'a step starts while another is open',
      refusedByMigration: true,
      args: { step: 'value', open: 'number' },
      message: (a) => `step ${a.step} starts while step ${a.open} is still open`,
    },
    'step/number': {
      title: 'step numbers do not follow one another',
      refusedByMigration: true,
      args: { expected: 'number', turn: 'value', step: 'value' },
      message: (a) => `expected step ${a.expected} in turn ${a.turn}, found ${a.step}`,
    },
    'step/settled-twice': {
      title: 'a step has two answers',
      why: 'DSH opens the log. What counts tokens or compacts takes the step for settled with the first one.',
      fix: WRITER_BUG,
      source: 'format.md §4.2',
      args: { turn: 'value', step: 'value', firstAt: 'seq' },
      message: (a) => `turn ${a.turn}, step ${a.step} has an answer already, at seq ${a.firstAt}`,
    },
    'step/foreign-sources': {
      title: 'an answer cites events from before its step',
      why: 'DSH opens the log. An answer is made of chunks of its own step; migrations and compactions count on it.',
      fix: WRITER_BUG,
      source: 'format.md §5.3, §9.3',
      args: { source: 'seq' },
      message: (a) => `the answer cites seq ${a.source}, which stands before its step`,
    },
    'step/outside': {
      title: 'an event names a turn and step that are not open',
      refusedByMigration: true,
      args: { type: 'name', turn: 'value', step: 'value', openTurn: 'number?', openStep: 'number?' },
      message: (a) =>
        `${a.type} names turn ${a.turn}, step ${a.step}; open is ${open(a.openTurn, 'turn')}, ${open(a.openStep, 'step')}`,
    },
  },
)

function open(number: number | undefined, what: string): string {
  return number === undefined ? `no ${what}` : `${what} ${number}`
}
