/** The header, the format it names, and what it says about an inherited part. */
import { plural } from '../grammar.ts'
import { family } from '../rule.ts'
import { KEEP, MEND, REPAIR } from './shared-words.ts'

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
      why: 'Its rows have no seq and no turn ends in it, so DSH takes all of it for the end of a crash: it opens the session without an event, and the next resume cuts the rows off.',
      fix: 'Do not resume the session in DSH. To read the rows, run "resurface check LOG --dialect NAME"; the finding says which.',
      settledLater: true,
      unread: true,
      source: 'format.md §2.8',
      args: { dialect: 'text' },
      message: (a) =>
        `this is the ${a.dialect} dialect, of which DSH reads nothing but the header; read it with --dialect ${a.dialect}`,
    },
    'header/missing': {
      repairs: ['add-header', 'drop-rows'],
      title: 'the first line is not a session header',
      why: 'DSH refuses the log, and lists do not show it. The events are still there.',
      fix: `A repair takes it from what can be read of the line and from where the log is kept, or from another session of the store. ${REPAIR}`,
      refused: true,
      unread: true,
      args: { problem: 'text' },
      message: (a) => `the first line is not a session header: ${a.problem}`,
    },
    'header/invalid': {
      repairs: ['mend-header'],
      title: 'a header field has a value that DSH refuses',
      why: 'DSH refuses the log before it reads an event.',
      fix: 'Correct the field by hand in a copy; the events are not touched.',
      refused: true,
      args: { field: 'name', problem: 'text' },
      message: (a) => `header field ${a.field}: ${a.problem}`,
    },
    'header/retired': {
      readInFull: true,
      repairs: ['mend-header'],
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
      fix: 'Nothing to do while the session stays in format 0.',
      refusedByMigration: true,
      args: { field: 'name' },
      message: (a) => `unknown header field ${a.field}`,
    },
    'header/repeated': {
      repairs: ['drop-rows'],
      title: 'there is a second header among the events',
      layer: 'order',
      why: 'DSH takes it for an event without a number and refuses the log.',
      fix: REPAIR,
      repairable: true,
      refused: true,
      unread: true,
      source: 'format.md §2.6',
      args: { id: 'value' },
      message: (a) => `a second session header (id ${a.id}) is where an event should be`,
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
      fix: 'Read it with "resurface check LOG --dialect NAME"; the finding says which.',
      outcome: 'not-a-log',
      source: 'format.md §2.8',
      args: { dialect: 'text' },
      message: (a) =>
        `this is the ${a.dialect} dialect, not a session log; read it with --dialect ${a.dialect}`,
    },
    'format/newer': {
      title: 'the log was written in a newer format',
      why: 'As far as the bytes go it is intact; resurface does not know what its events mean.',
      fix: 'Use a newer resurface, or the DSH build that wrote the log.',
      outcome: 'unsupported',
      unread: true,
      source: 'format.md §9.6',
      args: { version: 'number', known: 'number' },
      message: (a) => `the log has format ${a.version}; this reader knows format ${a.known}`,
    },
    'format/older': {
      readInFull: true,
      title: 'the log has a format number that DSH has never used',
      why: 'No DSH build opens it.',
      fix: 'Find out which program wrote the log: its events can be read, but no DSH opens them.',
      outcome: 'unsupported',
      unread: true,
      source: 'format.md §2.6',
      args: { version: 'number' },
      message: (a) => `the log has format ${a.version}, which no build of DSH writes`,
    },
    'format/foreign-shape': {
      readInFull: true,
      repairs: ['mend-rows'],
      title: 'an event has a shape that its format does not allow',
      severity: 'error',
      layer: 'meaning',
      why: 'DSH refuses the whole log, wherever the event is.',
      fix: MEND,
      source: 'format.md §4.5, §4.6',
      args: { problem: 'text' },
      message: (a) => `${a.problem}`,
    },
    'format/prehistoric': {
      readInFull: true,
      title: 'the log comes from a development build of June or July 2026',
      why: 'Its header lacks the delegation depth that every released build asks for. DSH refuses it.',
      fix: 'Nothing is damaged: resurface reads the log, but no released DSH opens it. To read it, run "resurface transcript LOG".',
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
    fix: `A repair lets the header follow the markers. ${REPAIR}`,
    repairable: true,
    repairs: ['mend-header', 'fill-gap'],
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
      title: 'the header counts more inherited events than there are',
      layer: 'compatibility',
      why: 'DSH opens the log; the migration to later formats refuses it.',
      fix: 'Nothing to do while the session stays in format 0.',
      settledLater: true,
      refusedByMigration: true,
      source: 'format.md §5.7',
      args: { seedLength: 'number', events: 'count' },
      message: (a) => `seedLength is ${a.seedLength}, and the log has ${plural(a.events, 'event')}`,
    },
    'fork/parent-missing': {
      title: 'the parent session is not in the store',
      why: 'DSH opens the log. What follows it back to its origin stops here; some tools fail on resume.',
      fix: 'Restore the parent if you need it. This log has everything that it inherited.',
      source: 'format.md §5.7, §8.4',
      args: { parent: 'value' },
      message: (a) => `the parent session ${a.parent} is not in the store`,
    },
    'fork/parent-cycle': {
      title: 'the parents of the session form a circle',
      why: 'DSH opens the log. What follows it back to its origin finds no beginning, and DSH refuses to show its ancestors.',
      fix: 'The parentSession of one of them is wrong, and only somebody who knows where the sessions come from can say which. The logs themselves are complete.',
      source: 'format.md §8.4',
      args: { circle: 'text' },
      message: (a) => `the parents form a circle: ${a.circle}`,
    },
    'fork/descriptor-inherited': {
      title: 'the descriptor of a subagent is in the inherited part',
      why: 'The child cannot be classified: a user interface may call it damaged.',
      fix: KEEP,
      settledLater: true,
      source: 'format.md §4.3',
      args: { cut: 'seq' },
      message: (a) => `the descriptor comes before seq ${a.cut}, where the events of this session begin`,
    },
  },
)
