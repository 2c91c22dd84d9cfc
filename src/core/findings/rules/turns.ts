/** Turns and steps: advice where readers do not look, and refusals in format 4, where they do. */
import { family, wording } from '../rule.ts'
import { ENFORCED, KEEP, NOTHING_BEFORE_4, NOTHING_BUT_RESUME, TURN_WHY } from './shared-words.ts'

const ADVISED = {
  severity: 'warning',
  layer: 'meaning',
  why: TURN_WHY,
  fix: NOTHING_BEFORE_4,
  repairable: false,
  guessAfterLoss: 'turn',
  source: 'format.md §7.1',
} as const

const NESTED_TURN = wording({
  title: 'a turn starts while another is open',
  args: { turn: 'value', open: 'value' },
  message: (a) => `turn ${a.turn} starts while turn ${a.open} is still open`,
})

const TURN_NUMBER = wording({
  title: 'turn numbers are not consecutive',
  args: { turn: 'value', expected: 'number' },
  message: (a) => `expected turn ${a.expected}, found ${a.turn}`,
})

const TURN_END = wording({
  title: 'a turn end names a turn that is not open',
  args: { turn: 'value', open: 'value?' },
  message: (a) => `turn/end names turn ${a.turn}; open is ${named(a.open, 'turn')}`,
})

const OPEN_STEP = wording({
  title: 'a turn ends while a step is open',
  args: { turn: 'value', step: 'value' },
  message: (a) => `turn ${a.turn} ends while step ${a.step} is still open`,
})

const OUTSIDE_TURN = wording({
  title: 'an event that belongs to a turn is outside any turn',
  args: { type: 'name' },
  message: (a) => `${a.type} is outside any turn`,
})

const NO_TURN = wording({
  title: 'a step starts in a turn that is not open',
  args: { turn: 'value', open: 'value?' },
  message: (a) => `step/start names turn ${a.turn}; open is ${named(a.open, 'turn')}`,
})

const NESTED_STEP = wording({
  title: 'a step starts while another is open',
  args: { step: 'value', open: 'value' },
  message: (a) => `step ${a.step} starts while step ${a.open} is still open`,
})

const STEP_NUMBER = wording({
  title: 'step numbers are not consecutive',
  args: { turn: 'value', step: 'value', expected: 'number' },
  message: (a) => `expected step ${a.expected} in turn ${a.turn}, found ${a.step}`,
})

const OUTSIDE_STEP = wording({
  title: 'an event names a turn and step that are not open',
  args: { type: 'name', turn: 'value', step: 'value', openTurn: 'value?', openStep: 'value?' },
  message: (a) =>
    `${a.type} names turn ${a.turn}, step ${a.step}; open is ${named(a.openTurn, 'turn')}, ${named(a.openStep, 'step')}`,
})

export const TURN = family(
  { ...ADVISED, refusedByMigration: true },
  {
    'turn/nested': NESTED_TURN,
    'turn/number': TURN_NUMBER,
    'turn/end-mismatch': TURN_END,
    'turn/open-step': OPEN_STEP,
    'turn/outside': OUTSIDE_TURN,
    'step/no-turn': NO_TURN,
    'step/nested': NESTED_STEP,
    'step/number': STEP_NUMBER,
    'step/outside': OUTSIDE_STEP,
  },
)

export const TURN_RELATION = family(
  { ...ENFORCED, why: 'DSH refuses the whole log: in format 4 turns and steps must follow one another.' },
  {
    'relation/turn-nested': NESTED_TURN,
    'relation/turn-number': { ...TURN_NUMBER, repairs: ['mend-rows'] },
    'relation/turn-end-mismatch': { ...TURN_END, repairs: ['mend-rows'] },
    'relation/turn-open-step': OPEN_STEP,
    'relation/turn-outside': OUTSIDE_TURN,
    'relation/step-no-turn': { ...NO_TURN, repairs: ['mend-rows'] },
    'relation/step-nested': NESTED_STEP,
    'relation/step-number': { ...STEP_NUMBER, repairs: ['mend-rows'] },
    'relation/step-outside': { ...OUTSIDE_STEP, repairs: ['insert-brackets', 'mend-rows'] },
  },
)

export const TURN_END_STATE = family(ADVISED, {
  'turn/open': {
    repairs: ['close-turn'],
    title: 'the log ends inside a turn',
    why: 'The process ended before the turn did, or it is still running. DSH closes the turn when it resumes the session.',
    fix: NOTHING_BUT_RESUME,
    repairable: true,
    mendedOnResume: true,
    settledLater: true,
    source: 'format.md §6.1',
    args: { turn: 'value', step: 'value?' },
    message: (a) =>
      a.step === undefined
        ? `turn ${a.turn} was never closed`
        : `turn ${a.turn} was never closed, and neither was its step ${a.step}`,
  },
  'step/settled-twice': {
    title: 'a step has two answers',
    why: 'DSH takes the step for settled with the first answer; tools that count tokens or compact may not.',
    fix: KEEP,
    source: 'format.md §4.2',
    args: { turn: 'value', step: 'value', firstAt: 'seq' },
    message: (a) => `turn ${a.turn}, step ${a.step} has an answer already, at seq ${a.firstAt}`,
  },
  'step/foreign-sources': {
    title: 'an answer cites events from before its step',
    why: 'An answer is made of chunks of its own step. DSH does not check it; migrations and compactions rely on it.',
    fix: KEEP,
    source: 'format.md §5.3, §9.3',
    args: { source: 'seq' },
    message: (a) => `the answer cites seq ${a.source}, which comes before its step`,
  },
})

function named(name: string | undefined, what: string): string {
  return name === undefined ? `no ${what}` : `${what} ${name}`
}
