/** The words that the program uses for a log, each for one thing. `help glossary` and `docs/glossary.md` are made of them. */
import { wrappedHelp } from './wrapped-help.ts'

const GLOSSARY: readonly (readonly [word: string, meaning: string])[] = [
  ['event', 'one entry of a session: a message, a call, a start or an end. Its seq is its number, from 0 on'],
  [
    'record',
    'a line of a file, a row of a database, or an entry of a compressed frame, as stored; usually one event',
  ],
  [
    'surface',
    'the messages that the model is sent, in order. An event is current while it is on the surface, shadowed when a replacement has taken it off, and log-only when it never makes a message',
  ],
  ['replacement', 'an event that takes the place of a range of the surface'],
  ['compaction', 'a replacement of a part of the conversation by its summary'],
  ['transcript', 'what the human saw; replacements do not change it'],
  [
    'turn, step',
    'a turn is what follows one prompt; a step is one request to the model, with its tool calls',
  ],
  [
    'closer',
    'an event that ends what a crash left open: a tool result that says so, the end of a step or turn',
  ],
  ['gap', 'sequence numbers that no event has'],
  ['branch', 'events with the same sequence numbers as others, written by another process'],
  ['torn', 'cut off in the middle of a write, as a crash or a full disk leaves a record'],
  ['quarantine', 'the file next to a repaired log that holds what was taken out or changed, as it was'],
  ['lost', 'events, whole or unreadable, that the repaired log does not have'],
  [
    'target',
    'a release of DSH that a log should open in; a newer release reads an older format by a migration',
  ],
  ['baseline', 'a file of findings that are known and need not be reported again'],
]

/** `resurface help glossary` */
export function glossaryHelp(width: number): string {
  const room = Math.max(...GLOSSARY.map(([word]) => word.length)) + 2
  const lines = GLOSSARY.map(([word, meaning]) => `  ${word.padEnd(room)}${meaning}\n`)
  return wrappedHelp(`Words that the help and the answers use:\n\n${lines.join('')}`, width)
}

/** `docs/glossary.md` */
export function glossaryPage(): string {
  const entries = GLOSSARY.map(([word, meaning]) => `- **${word}**: ${meaning}.\n`)
  return `# Glossary\n\nOne word for one thing, in the help, the answers and the documents.\n\n${entries.join('')}`
}
