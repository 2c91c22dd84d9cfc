/** The header, the format it names, and what it says about an inherited part. */
import { plural } from '../grammar.ts'
import { family } from '../rule.ts'
import { REPAIR, WRITER_BUG } from './shared-words.ts'

export const HEADER = family(
  {
    severity: 'error',
    layer: 'bytes',
    repairable: false,
    source: 'format.md §2.2',
  },
  {
    'format/dialect-dropped': {
      title: 'DSH opens a look-alike of a session log as an empty session',
      why: 'Its rows carry no seq and no turn ends in it, so DSH takes all of it for a crash tail: it opens the session without an event, and the next resume cuts the rows off.',
      fix: 'Read it with --dialect. Do not resume the session in DSH.',
      settledLater: true,
      unread: true,
      source: 'format.md §2.8',
      args: { dialect: 'text' },
      message: (a) =>
        `this is the ${a.dialect} dialect, of which DSH reads nothing but the header; read it with --dialect ${a.dialect}`,
    },
    'header/missing': {
      title: 'the first line is not a session header',
      why: 'DSH refuses the log, and lists do not show it. The events are still there.',
      fix: `A repair suggests a header for a log that lies where DSH keeps it. ${REPAIR}`,
      refused: true,
      unread: true,
      args: { problem: 'text' },
      message: (a) => `the first line is not a session header: ${a.problem}`,
    },
    'header/invalid': {
      title: 'a header field has a value that DSH refuses',
      why: 'DSH refuses the log before it reads an event.',
      fix: 'Correct the field by hand in a copy; the events are not touched.',
      refused: true,
      args: { field: 'name', problem: 'text' },
      message: (a) => `header field ${a.field}: ${a.problem}`,
    },
    'header/retired': {
      title: 'the header uses a retired field',
      severity: 'warning',
      layer: 'compatibility',
      why: 'DSH refuses the log: these fields belong to builds of July 2026 that later ones do not read.',
      fix: 'Remove the field in a copy.',
      refused: true,
      outcome: 'unsupported',
      args: { field: 'name' },
      message: (a) => `the header has the retired field ${a.field}`,
    },
    'header/unknown': {
      title: 'the header has a field that DSH does not know',
      severity: 'info',
      layer: 'compatibility',
      why: 'Format 0 ignores it; readers of later formats refuse the log because of it.',
      fix: 'Nothing needs to be done for format 0.',
      refusedByMigration: true,
      args: { field: 'name' },
      message: (a) => `unknown header field ${a.field}`,
    },
    'header/repeated': {
      title: 'a second header stands among the events',
      layer: 'order',
      why: 'DSH takes it for an event without a number and refuses the log.',
      fix: REPAIR,
      repairable: true,
      refused: true,
      unread: true,
      source: 'format.md §2.6',
      args: { id: 'value' },
      message: (a) => `a second session header (id ${a.id}) stands where an event should be`,
    },
  },
)

export const FORMAT = family(
  {
    severity: 'warning',
    layer: 'compatibility',
    repairable: false,
    refused: true,
    anyFormat: true,
  },
  {
    'format/dialect': {
      title: 'the file is a look-alike of a session log',
      severity: 'error',
      layer: 'bytes',
      why: 'DSH cannot read it: it is a recording for tests, or the output of the headless command line.',
      fix: 'Read it with --dialect.',
      outcome: 'not-a-log',
      source: 'format.md §2.8',
      args: { dialect: 'text' },
      message: (a) =>
        `this is the ${a.dialect} dialect, not a session log; read it with --dialect ${a.dialect}`,
    },
    'format/newer': {
      title: 'the log was written in a newer format',
      why: 'It is intact as far as the bytes go; this reader does not know what its events mean.',
      fix: 'Use a newer resurface, or the DSH build that wrote the log.',
      outcome: 'unsupported',
      unread: true,
      source: 'format.md §9.6',
      args: { version: 'number', known: 'number' },
      message: (a) => `the log has format ${a.version}; this reader knows format ${a.known}`,
    },
    'format/older': {
      title: 'the log has a format number that no build has used',
      why: 'No DSH build opens it.',
      fix: 'Look at the program that wrote the log.',
      outcome: 'unsupported',
      unread: true,
      source: 'format.md §2.6',
      args: { version: 'number' },
      message: (a) => `the log has format ${a.version}, which no build of DSH writes`,
    },
    'format/foreign-shape': {
      title: 'an event has a shape that its format does not allow',
      severity: 'error',
      layer: 'meaning',
      why: 'The readers of this format refuse the whole log, wherever the event stands.',
      fix: WRITER_BUG,
      source: 'format.md §4.5, §4.6',
      args: { problem: 'text' },
      message: (a) => `${a.problem}`,
    },
    'format/prehistoric': {
      title: 'the log comes from a development build of June or July 2026',
      why: 'Its header lacks the delegation depth that every released build asks for. DSH refuses it.',
      fix: 'The log is intact. resurface reads it; no released build opens it.',
      outcome: 'unsupported',
      source: 'format.md §0, §2.2',
      args: { version: 'value' },
      message: (a) =>
        `the header has version ${a.version} and no delegationDepth: a development build wrote it`,
    },
  },
)

export const SEED = family(
  {
    severity: 'error',
    layer: 'meaning',
    why: 'The readers of formats 2 to 4 refuse the log.',
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: 'format.md §5.7',
  },
  {
    'seed/marker-missing': {
      title: 'a seeded log does not mark where its inherited part ends',
      settledLater: true,
      args: {},
      message: () => 'the header says isSeeded, but no session/end-seed is marked inherited',
    },
    'seed/marker-unexpected': {
      title: 'a log that is not seeded marks an inherited part',
      args: {},
      message: () => 'this session/end-seed is marked inherited, but the header does not say isSeeded',
    },
  },
)

export const FORK = family(
  {
    severity: 'warning',
    layer: 'meaning',
    repairable: false,
  },
  {
    'fork/seed-too-long': {
      title: 'the header counts more inherited events than the log holds',
      layer: 'compatibility',
      why: 'DSH opens the log; the migration to later formats refuses it.',
      fix: 'Nothing needs to be done for format 0.',
      settledLater: true,
      refusedByMigration: true,
      source: 'format.md §5.7',
      args: { seedLength: 'number', events: 'count' },
      message: (a) => `seedLength is ${a.seedLength}, and the log holds ${plural(a.events, 'event')}`,
    },
    'fork/parent-missing': {
      title: 'the parent session is not in the store',
      why: 'DSH opens the log. Whatever follows it back to its origin stops here; some tools fail on resume.',
      fix: 'Restore the parent if it is needed. The log holds all that it inherited.',
      source: 'format.md §5.7, §8.4',
      args: { parent: 'value' },
      message: (a) => `the parent session ${a.parent} is not in the store`,
    },
    'fork/descriptor-inherited': {
      title: 'the descriptor of a subagent lies in the inherited part',
      why: 'The child cannot be classified: a user interface may call it damaged.',
      fix: WRITER_BUG,
      settledLater: true,
      source: 'format.md §4.3',
      args: { cut: 'seq' },
      message: (a) => `the descriptor stands before seq ${a.cut}, where the own events begin`,
    },
  },
)
