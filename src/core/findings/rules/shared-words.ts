/**
 * Sentences that rules of several families share. In a remedy, LOG is the path of the log and SEQ the seq of the first
 * finding; what shows the remedy of a finding fills them in. A remedy names no place to cut a log at: only the plan of a
 * repair knows where nothing is open.
 */

export const REPAIR = 'Run "resurface repair LOG" to see the plan.'

/** For what DSH repairs by itself. */
export const NOTHING_BUT_RESUME =
  'Nothing to do: resume the session. To repair it without DSH, run "resurface repair LOG".'

export const NOTED =
  'The repair shows the model a text note in its place; the event stays in the log, and so does this finding.'

/** For an event that DSH refuses, which a repair mends where the log shows what it should be. */
export const MEND =
  'A repair mends it where the rest of the log shows what it should be, and otherwise names the choices. Run "resurface repair LOG" to see the plan.'

/** For an event that DSH takes as it is. */
export const KEEP =
  'Nothing to do: the session can go on as it is. To see the event, run "resurface why LOG SEQ".'

export const NOTHING_BEFORE_4 =
  'Nothing to do while the session stays in its format: only a DSH that migrates it to format 4 minds.'

export const TURN_WHY =
  'DSH opens the log; its optional invariant checks and the readers of later formats refuse it.'

export const inFormat4 = (must: string): string => `DSH refuses the whole log: in format 4 ${must}.`

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
