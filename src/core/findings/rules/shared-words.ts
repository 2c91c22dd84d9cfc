/** Sentences that rules of several families share. */

export const REPAIR = 'Run "resurface repair LOG" to see the plan.'

export const NOTED =
  'The repair shows the model a note in words in its place; the event stays in the log, and so does this finding.'

export const WRITER_BUG =
  'Report it to the author of the plugin or tool that wrote the event; the event itself is intact.'

export const TURN_WHY =
  'DSH opens the log; its optional invariant checks and the readers of later formats refuse it.'
