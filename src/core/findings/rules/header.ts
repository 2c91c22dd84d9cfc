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
      why: 'Its rows have no seq and no turn ends in it, so DSH takes all of it for the remains of a crash: it opens an empty session, and the next resume removes the rows from the file.',
      fix: 'Do not resume the session in DSH. To read the rows, add the option --dialect that the finding names.',
      settledLater: true,
      unread: true,
      source: 'format.md §2.8',
      args: { dialect: 'text' },
      message: (a) =>
        `this is the ${a.dialect} dialect, of which DSH reads only the header; read it with --dialect ${a.dialect}`,
    },
    'header/missing': {
      repairs: ['add-header', 'drop-rows'],
      title: 'the first line is not a session header',
      why: 'Without a header DSH neither opens nor lists the session. The events are still there.',
      fix: `A repair makes the header from what can be read of the line and from where the log is kept, or from another session of the store. ${REPAIR}`,
      refused: true,
      unread: true,
      args: { problem: 'text' },
      message: (a) => `the first line is not a session header: ${a.problem}`,
    },
    'header/invalid': {
      repairs: ['mend-header'],
      title: 'a header field has a value that DSH refuses',
      why: 'DSH reads the header first and refuses the log because of it. The events are not affected.',
      fix: `A repair corrects the field where the log or its place shows the right value. ${REPAIR}`,
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
      why: 'Builds of July 2026 wrote it, and later ones refuse the log because of it. Nothing is damaged.',
      fix: `A repair removes the field. ${REPAIR}`,
      refused: true,
      outcome: 'unsupported',
      args: { field: 'name' },
      message: (a) => `the header has the retired field ${a.field}`,
    },
    'header/unknown': {
      title: 'the header has a field that DSH does not know',
      severity: 'info',
      layer: 'compatibility',
      why: 'DSH ignores it in format 0; releases that migrate the log refuse it.',
      fix: 'Nothing to do while the session stays in format 0. For a later release, run "resurface repair LOG --target format-4".',
      refusedByMigration: true,
      args: { field: 'name' },
      message: (a) => `unknown header field ${a.field}`,
    },
    'header/repeated': {
      repairs: ['drop-rows'],
      title: 'there is a second header among the events',
      layer: 'order',
      why: 'Two logs were joined, or the header was written again. DSH takes it for an event without a seq and refuses the log.',
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
      fix: 'To check it as what it is, add the option --dialect that the finding names.',
      outcome: 'not-a-log',
      source: 'format.md §2.8',
      args: { dialect: 'text' },
      message: (a) =>
        `this is the ${a.dialect} dialect, not a session log; read it with --dialect ${a.dialect}`,
    },
    'format/newer': {
      title: 'the log was written in a newer format',
      why: 'Nothing seems damaged, but resurface does not know what the events of this format mean.',
      fix: 'Open the session with the DSH that wrote it, and check it with a newer resurface.',
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
      fix: `Another program wrote the log. A repair gives it format 0, if its events fit. ${REPAIR}`,
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
      why: 'DSH refuses the whole log because of one such event, wherever it is.',
      fix: MEND,
      source: 'format.md §4.5, §4.6',
      args: { problem: 'text' },
      message: (a) => `${a.problem}`,
    },
    'format/prehistoric': {
      readInFull: true,
      title: 'the log comes from a development build of June or July 2026',
      why: 'Its header lacks the delegation depth, which every released DSH requires. So no released DSH opens the log; nothing is damaged.',
      fix: `A repair adds it to the header; the events stay as they are. ${REPAIR}`,
      outcome: 'unsupported',
      source: 'format.md §0, §2.2',
      args: { version: 'value' },
      message: (a) =>
        `the header has version ${a.version} and no delegationDepth, as development builds wrote it`,
    },
  },
)

export const SEED = family(
  {
    severity: 'error',
    layer: 'meaning',
    why: 'The readers of formats 2 to 4 refuse the log.',
    fix: `A repair makes the header say what the markers say. ${REPAIR}`,
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
      why: 'DSH does not check the count in format 0; releases that migrate the log refuse it.',
      fix: 'Nothing to do while the session stays in format 0. For a later release, run "resurface repair LOG --target format-4".',
      settledLater: true,
      refusedByMigration: true,
      source: 'format.md §5.7',
      args: { seedLength: 'number', events: 'count' },
      message: (a) => `seedLength is ${a.seedLength}, and the log has ${plural(a.events, 'event')}`,
    },
    'fork/parent-missing': {
      title: 'the parent session is not in the store',
      why: 'The session itself is complete. Tools that follow it back to its origin stop here.',
      fix: 'Nothing to do: this log holds everything that it inherited. Restore the parent from a backup if you need it.',
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
      why: 'DSH does not see what kind of subagent the session is: a user interface may show it as damaged.',
      fix: KEEP,
      settledLater: true,
      source: 'format.md §4.3',
      args: { cut: 'seq' },
      message: (a) => `the descriptor comes before seq ${a.cut}, where the events of this session begin`,
    },
  },
)
