/**
 * Sentences that rules of several families share. In a remedy, LOG is the path of the log and SEQ the seq of the first
 * finding; what shows the remedy of a finding fills them in. A remedy names no place to cut a log at: only the plan of a
 * repair knows where nothing is open.
 */

export const REPAIR = 'Run "resurface repair LOG" to see the plan.'

/** For what DSH repairs by itself. */
export const NOTHING_BUT_RESUME =
  'Nothing to do: resume the session. To repair it without DSH, run "resurface repair LOG".'

export const NOTED = 'A repair shows the model a text note in its place; the event stays in the log.'

/** For an event that DSH refuses, which a repair mends where the log shows what it should be. */
export const MEND =
  'A repair corrects it where the rest of the log shows the right value, and names the choices where it does not. Run "resurface repair LOG" to see the plan.'

/** For an event that DSH takes as it is. */
export const KEEP = 'Nothing to do about this one. To see the event, run "resurface why LOG SEQ".'

export const NOTHING_BEFORE_4 =
  'Nothing to do while the session stays in its format: only a DSH that migrates it to format 4 refuses it.'

export const TURN_WHY =
  'By itself it does not stop DSH from opening the log; the optional invariant checks of DSH and the readers of later formats refuse it.'

export const inFormat4 = (must: string): string => `DSH refuses the whole log: in format 4 ${must}.`

/** The words of a fault with the part in question in them, where `%` is. */
export const about = (words: string, part: string | undefined): string =>
  words.replace('%', () => part ?? 'nothing')

/** What the readers of format 4 refuse the whole log for. */
export const ENFORCED = {
  severity: 'error',
  layer: 'meaning',
  fix: MEND,
  repairable: false,
  refused: true,
  guessAfterLoss: 'turn',
  relation: true,
  source: 'format.md §7.3, §12.E',
} as const
