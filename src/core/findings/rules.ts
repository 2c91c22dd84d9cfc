/**
 * The rule registry: every finding code with its severity, layer, wording, consequence and remedy. `explain`, the
 * reports and the exit codes read it; checks only name codes.
 *
 * To add a rule:
 * 1. add a row here (a code without one does not compile);
 * 2. raise it in `checks/`, in the surface rules or in the reader;
 * 3. add a corpus case that raises it and a near miss that does not.
 */
import type { JsonObject } from '../event/json-value.ts'
import type { Layer, Severity } from './finding.ts'

export interface Rule {
  readonly severity: Severity
  readonly layer: Layer
  readonly title: string
  /** What DSH or the model provider does with such a log. */
  readonly why: string
  /** What to do now. */
  readonly fix: string
  /** Whether `repair` can mend it. */
  readonly repairable: boolean
  /** The shipped readers of this format refuse to open the log. */
  readonly refused?: true
  /** What the log is, when it is not simply damaged. */
  readonly outcome?: 'unsupported' | 'incomplete' | 'not-a-log'
  /** Section of the format description or of the specification the rule comes from. */
  readonly source: string
  /** The sentence for one finding. */
  readonly message: (args: JsonObject) => string
}

const REPAIR = 'Run "resurface repair LOG" to see the plan.'
const KEEP = 'Keep the file. Look at the line, and restore the log from a copy if there is one.'
const WRITER_BUG =
  'Report it to the author of the plugin or tool that wrote the event; the event itself is intact.'
const TURN_SOURCE = 'format.md §7.1'
const SURFACE_SOURCE = 'format.md §5.1'
const MESSAGE_SOURCE = 'format.md §4.4'

const SURFACE_WHY =
  'Every build of DSH refuses the whole log at this event. resurface leaves the event off the surface and reads on.'
const TURN_WHY =
  'DSH opens the log; its optional invariant checks and the readers of later formats refuse it.'
const MESSAGE_WHY = 'DSH refuses the whole log: a message without this cannot be sent to a model.'

export const RULES = {
  // Bytes ----------------------------------------------------------------------------------------------------------
  'bytes/empty-file': {
    severity: 'error',
    layer: 'bytes',
    title: 'the file is empty',
    why: 'There is no header, so there is no session. A writer may just have created the file.',
    fix: 'Wait for the writer, or look for the log in a backup. An empty file holds nothing to repair.',
    repairable: false,
    refused: true,
    outcome: 'not-a-log',
    source: 'format.md §2.6',
    message: () => 'the file is empty: it holds no session',
  },
  'bytes/not-a-log': {
    severity: 'error',
    layer: 'bytes',
    title: 'the file is not a session log',
    why: 'No line of it is a session header or an event.',
    fix: 'Check the path: a session log is called session.jsonl or session.jsonl.zstd.',
    repairable: false,
    refused: true,
    outcome: 'not-a-log',
    source: 'format.md §9.6',
    message: (a) => `this is not a session log: ${a.problem}`,
  },
  'bytes/torn-tail': {
    severity: 'warning',
    layer: 'bytes',
    title: 'the last record was not written to its end',
    why: 'A crash or a full disk cut the last write. DSH drops the torn record on the next resume.',
    fix: REPAIR,
    repairable: true,
    source: 'format.md §2.6',
    message: (a) =>
      a.complete === true
        ? `the last record (${a.bytes} bytes) is complete but lacks its line feed, so DSH drops it`
        : `the last record is torn after ${a.bytes} bytes; DSH drops it`,
  },
  'bytes/bad-line': {
    severity: 'error',
    layer: 'bytes',
    title: 'a line before the last turn end cannot be read',
    why: 'DSH refuses the whole log. What the line held is lost unless the bytes can be mended.',
    fix: KEEP,
    repairable: false,
    refused: true,
    source: 'format.md §2.6',
    message: (a) => `the line cannot be read: ${a.problem}`,
  },
  'bytes/bad-tail-line': {
    severity: 'warning',
    layer: 'bytes',
    title: 'a line after the last turn end cannot be read',
    why: 'DSH takes it for a crash tail: it drops this line and everything after it on the next resume.',
    fix: REPAIR,
    repairable: true,
    source: 'format.md §2.6',
    message: (a) => `the line cannot be read (${a.problem}); DSH drops it and all that follows`,
  },
  'bytes/line-too-long': {
    severity: 'warning',
    layer: 'bytes',
    title: 'a record is longer than the limit',
    why: 'It was not read, so the log was not checked fully.',
    fix: 'Run again with a larger --max-record.',
    repairable: false,
    outcome: 'incomplete',
    source: 'resurface',
    message: (a) => `the record is ${a.bytes} bytes long, over the limit of ${a.limit}; it was not read`,
  },
  'bytes/changed-while-reading': {
    severity: 'warning',
    layer: 'bytes',
    title: 'the file changed while it was read',
    why: 'A writer is at work, so what was checked is not what is there now.',
    fix: 'Run again when the session is idle.',
    repairable: false,
    outcome: 'incomplete',
    source: 'resurface',
    message: () => 'the file changed while it was read',
  },
  'bytes/byte-order-mark': {
    severity: 'error',
    layer: 'bytes',
    title: 'the file begins with a byte order mark',
    why: 'DSH refuses the log: its header line is not valid JSON. An editor usually added the mark.',
    fix: REPAIR,
    repairable: true,
    refused: true,
    source: 'format.md §2.6',
    message: () => 'a UTF-8 byte order mark stands before the header',
  },
  'bytes/invalid-utf8': {
    severity: 'warning',
    layer: 'bytes',
    title: 'a record is not valid UTF-8',
    why: 'Every reader replaces the bytes by U+FFFD without saying so: the text shown is not what was written.',
    fix: 'Nothing can bring the bytes back. The record is otherwise intact.',
    repairable: false,
    source: 'format.md §2.1',
    message: () => 'the record holds bytes that are not UTF-8; they read as U+FFFD',
  },
  'bytes/crlf': {
    severity: 'info',
    layer: 'bytes',
    title: 'lines end in CR LF',
    why: 'DSH reads it, but did not write it: a tool has rewritten the file.',
    fix: 'Nothing needs to be done.',
    repairable: false,
    source: 'format.md §2.6',
    message: (a) => `${a.lines} lines end in CR LF`,
  },

  // Header ---------------------------------------------------------------------------------------------------------
  'header/missing': {
    severity: 'error',
    layer: 'bytes',
    title: 'the first line is not a session header',
    why: 'DSH refuses the log, and lists do not show it. The events are still there.',
    fix: 'Restore the header line: id and folder follow from the path of the file.',
    repairable: false,
    refused: true,
    source: 'format.md §2.2',
    message: (a) => `the first line is not a session header: ${a.problem}`,
  },
  'header/invalid': {
    severity: 'error',
    layer: 'bytes',
    title: 'a header field has a value that DSH refuses',
    why: 'DSH refuses the log before it reads an event.',
    fix: 'Correct the field by hand in a copy; the events are not touched.',
    repairable: false,
    refused: true,
    source: 'format.md §2.2',
    message: (a) => `header field ${a.field}: ${a.problem}`,
  },
  'header/retired': {
    severity: 'error',
    layer: 'compatibility',
    title: 'the header uses a retired field',
    why: 'DSH refuses the log: these fields belong to builds of July 2026 that later ones do not read.',
    fix: 'Remove the field in a copy.',
    repairable: false,
    refused: true,
    outcome: 'unsupported',
    source: 'format.md §2.2',
    message: (a) => `the header has the retired field ${a.field}`,
  },
  'header/unknown': {
    severity: 'info',
    layer: 'compatibility',
    title: 'the header has a field that DSH does not know',
    why: 'Format 0 ignores it; readers of later formats refuse the log because of it.',
    fix: 'Nothing needs to be done for format 0.',
    repairable: false,
    source: 'format.md §2.2',
    message: (a) => `unknown header field ${a.field}`,
  },
  'header/repeated': {
    severity: 'error',
    layer: 'order',
    title: 'a second header stands among the events',
    why: 'DSH takes it for an event without a number and refuses the log.',
    fix: KEEP,
    repairable: false,
    refused: true,
    source: 'format.md §2.6',
    message: (a) => `a second session header (id ${a.id}) stands where an event should be`,
  },
  'format/newer': {
    severity: 'warning',
    layer: 'compatibility',
    title: 'the log was written in a newer format',
    why: 'It is intact as far as the bytes go; this reader does not know what its events mean.',
    fix: 'Use a newer resurface, or the DSH build that wrote the log.',
    repairable: false,
    refused: true,
    outcome: 'unsupported',
    source: 'format.md §9.6',
    message: (a) => `the log has format ${a.version}; this reader knows format ${a.known}`,
  },
  'format/older': {
    severity: 'warning',
    layer: 'compatibility',
    title: 'the log has a format number that no build has used',
    why: 'No DSH build opens it.',
    fix: 'Look at the program that wrote the log.',
    repairable: false,
    refused: true,
    outcome: 'unsupported',
    source: 'format.md §2.6',
    message: (a) => `the log has format ${a.version}, which no build of DSH writes`,
  },

  // Order ----------------------------------------------------------------------------------------------------------
  'order/seq-gap': {
    severity: 'error',
    layer: 'order',
    title: 'events are missing',
    why: 'DSH refuses the whole log: seqs must follow one another.',
    fix: KEEP,
    repairable: false,
    refused: true,
    source: 'format.md §2.6',
    message: (a) => `expected seq ${a.expected}, found ${a.got}: ${a.missing} events are missing`,
  },
  'order/seq-repeated': {
    severity: 'error',
    layer: 'order',
    title: 'events use seqs that were taken before',
    why: 'DSH refuses the whole log. Two writers, or a recovery and a writer that lived on, appended to one file.',
    fix: 'Both branches are still in the file: look at them with "resurface classify" before you cut anything.',
    repairable: false,
    refused: true,
    source: 'format.md §2.6',
    message: (a) =>
      a.rows === 1
        ? `expected seq ${a.expected}, found ${a.first} again`
        : `expected seq ${a.expected}, found ${a.first} to ${a.last} again (${a.rows} events)`,
  },
  'order/seq-invalid': {
    severity: 'error',
    layer: 'order',
    title: 'a row has no usable seq',
    why: 'DSH refuses the whole log: the row has no place in it.',
    fix: KEEP,
    repairable: false,
    refused: true,
    source: 'format.md §2.6',
    message: (a) => `expected seq ${a.expected}, found ${a.got}`,
  },
  'order/tail-break': {
    severity: 'warning',
    layer: 'order',
    title: 'the numbering breaks after the last turn end',
    why: 'DSH takes it for a crash tail: it drops this row and everything after it on the next resume.',
    fix: REPAIR,
    repairable: true,
    source: 'format.md §2.6',
    message: (a) => `expected seq ${a.expected}, found ${a.got}; DSH drops this row and all that follows`,
  },
  'order/rows-dropped': {
    severity: 'error',
    layer: 'order',
    title: 'DSH would drop valid events without a word',
    why: 'They stand after a break and no turn end follows, so DSH takes them for a crash tail.',
    fix: 'Copy the file before you open the session in DSH: the next resume cuts these events off.',
    repairable: true,
    source: 'format.md §2.6',
    message: (a) =>
      `${a.rows} valid events (seq ${a.first} to ${a.last}) stand after the break; DSH drops them silently`,
  },

  // Envelope and vocabulary ----------------------------------------------------------------------------------------
  'envelope/invalid': {
    severity: 'error',
    layer: 'meaning',
    title: 'an event does not have the members of an event',
    why: 'DSH refuses the whole log.',
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: 'format.md §2.3',
    message: (a) => `the event is malformed: ${a.problem}`,
  },
  'vocabulary/unknown-type': {
    severity: 'warning',
    layer: 'compatibility',
    title: 'an event type is unknown and not marked ignorable',
    why: 'DSH refuses the log and blames a newer harness. Usually a plugin wrote the event without "ignorable": true.',
    fix: 'Use the build or plugin that wrote it. The event is intact and stays out of the surface.',
    repairable: false,
    refused: true,
    outcome: 'unsupported',
    source: 'format.md §4.3',
    message: (a) => `unknown event type ${a.type}, not marked ignorable`,
  },
  'vocabulary/unknown-ignorable': {
    severity: 'info',
    layer: 'compatibility',
    title: 'an event type is unknown but ignorable',
    why: 'Readers of format 0 skip it. The migration to later formats refuses it.',
    fix: 'Nothing needs to be done for format 0.',
    repairable: false,
    source: 'format.md §4.3, §9.2',
    message: (a) => `unknown event type ${a.type}, marked ignorable`,
  },
  'vocabulary/newer-type': {
    severity: 'info',
    layer: 'compatibility',
    title: 'older builds do not know an event type',
    why: 'The builds before the one named refuse the log.',
    fix: 'Open it with that build or a later one.',
    repairable: false,
    source: 'format.md §4.3',
    message: (a) => `event type ${a.type} is known from DSH ${a.since} on`,
  },
  'vocabulary/retired': {
    severity: 'warning',
    layer: 'compatibility',
    title: 'an event belongs to a retired vocabulary',
    why: 'No released build reads it: DSH refuses the log.',
    fix: 'The log is intact; only the development build that wrote it can open it.',
    repairable: false,
    refused: true,
    outcome: 'unsupported',
    source: 'format.md §4.3',
    message: (a) => `retired ${a.what}`,
  },
  'legacy/shape': {
    severity: 'info',
    layer: 'compatibility',
    title: 'an event has an older shape that DSH upgrades while it reads',
    why: 'DSH opens the log. The file keeps the old shape.',
    fix: 'Nothing needs to be done.',
    repairable: false,
    source: 'format.md §9.1',
    message: (a) => `older shape: ${a.shape}`,
  },
  'legacy/malformed': {
    severity: 'error',
    layer: 'meaning',
    title: 'an event has neither its current nor its older shape',
    why: 'DSH refuses the whole log.',
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: 'format.md §9.1',
    message: (a) => `malformed ${a.type}: ${a.problem}`,
  },

  // Messages -------------------------------------------------------------------------------------------------------
  'message/id-missing': {
    severity: 'error',
    layer: 'meaning',
    title: 'a message has no id',
    why: MESSAGE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: MESSAGE_SOURCE,
    message: (a) => `the ${a.type} has no message with an id`,
  },
  'message/role-wrong': {
    severity: 'error',
    layer: 'meaning',
    title: 'a message has the wrong role',
    why: MESSAGE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: MESSAGE_SOURCE,
    message: (a) => `the message of the ${a.type} must have role ${a.role}, not ${a.got}`,
  },
  'message/source-invalid': {
    severity: 'error',
    layer: 'meaning',
    title: 'a message has no valid source',
    why: MESSAGE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: MESSAGE_SOURCE,
    message: (a) => `the message of the ${a.type} needs a source ${a.needs}`,
  },
  'message/content-invalid': {
    severity: 'error',
    layer: 'meaning',
    title: 'the content of a message is not a list of blocks',
    why: MESSAGE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: MESSAGE_SOURCE,
    message: (a) => `the message of the ${a.type} needs ${a.needs}`,
  },
  'message/call-id-mismatch': {
    severity: 'error',
    layer: 'meaning',
    title: 'a tool result names two different calls',
    why: MESSAGE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: MESSAGE_SOURCE,
    message: (a) => `the result answers ${a.block} in its block and ${a.source} in its source`,
  },
  'message/request-invalid': {
    severity: 'error',
    layer: 'meaning',
    title: 'a request header cannot be sent to a model',
    why: 'DSH refuses the whole log.',
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: MESSAGE_SOURCE,
    message: (a) => `the request/header ${a.problem}`,
  },

  // Surface --------------------------------------------------------------------------------------------------------
  'surface/not-contiguous': {
    severity: 'error',
    layer: 'meaning',
    title: 'an event does not continue the log',
    why: SURFACE_WHY,
    fix: KEEP,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 1`,
    message: (a) => `seq ${a.got} does not continue the log; expected ${a.expected}`,
  },
  'surface/op-on-log-only': {
    severity: 'error',
    layer: 'meaning',
    title: 'an event that makes no message carries surfaceOp',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 2`,
    message: (a) => `${a.type} makes no model message and cannot carry surfaceOp`,
  },
  'surface/sources-on-log-only': {
    severity: 'error',
    layer: 'meaning',
    title: 'an event that makes no message carries sourceEventSeqs',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 2`,
    message: (a) => `${a.type} makes no model message and cannot carry sourceEventSeqs`,
  },
  'surface/op-missing': {
    severity: 'error',
    layer: 'meaning',
    title: 'a message event has no surfaceOp',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 3`,
    message: (a) => `${a.type} has no surfaceOp, so it is not on the surface`,
  },
  'surface/unmarked-log': {
    severity: 'warning',
    layer: 'compatibility',
    title: 'no event of the log carries a surface marker',
    why: 'The log is older than surface markers. Shipped builds refuse it; resurface reads every message as appended.',
    fix: 'The log is intact. Only a build of June 2026 opens it.',
    repairable: false,
    refused: true,
    outcome: 'unsupported',
    source: 'session-surface specification; format.md §5.8',
    message: () => 'no event carries surfaceOp: the messages are read as appended in log order',
  },
  'surface/op-invalid': {
    severity: 'error',
    layer: 'meaning',
    title: 'surfaceOp is neither append nor a replacement',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 4`,
    message: (a) => `${a.type} has a surfaceOp that is neither "append" nor an object`,
  },
  'surface/replace-invalid': {
    severity: 'error',
    layer: 'meaning',
    title: 'a replacement is malformed',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 5`,
    message: (a) => `${a.type} has a surfaceOp that is not exactly {op: "replace", start, end}`,
  },
  'surface/start-not-found': {
    severity: 'error',
    layer: 'meaning',
    title: 'a replacement starts at an event that is not on the surface',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 6`,
    message: (a) => `the replacement starts at seq ${a.start}, which is not on the surface`,
  },
  'surface/end-not-found': {
    severity: 'error',
    layer: 'meaning',
    title: 'a replacement ends at an event that is not on the surface',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 7`,
    message: (a) => `the replacement ends at seq ${a.end}, which is not on the surface`,
  },
  'surface/range-reversed': {
    severity: 'error',
    layer: 'meaning',
    title: 'a replacement ends before it starts',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 8`,
    message: (a) =>
      `the replacement starts at seq ${a.start} (position ${a.startIndex}) and ends before it at seq ${a.end} (position ${a.endIndex})`,
  },
  'surface/sources-not-list': {
    severity: 'error',
    layer: 'meaning',
    title: 'sourceEventSeqs is not a list',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 9`,
    message: () => 'sourceEventSeqs is not a list',
  },
  'surface/sources-empty': {
    severity: 'error',
    layer: 'meaning',
    title: 'sourceEventSeqs is empty',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 10`,
    message: (a) => `sourceEventSeqs of a ${a.type} must not be empty`,
  },
  'surface/sources-invalid': {
    severity: 'error',
    layer: 'meaning',
    title: 'sourceEventSeqs holds something that is no seq',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 11`,
    message: (a) => `sourceEventSeqs holds ${short(a.source)}, which is no seq`,
  },
  'surface/sources-repeated': {
    severity: 'error',
    layer: 'meaning',
    title: 'sourceEventSeqs names an event twice',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 12`,
    message: (a) => `sourceEventSeqs names seq ${a.source} twice`,
  },
  'surface/sources-not-earlier': {
    severity: 'error',
    layer: 'meaning',
    title: 'sourceEventSeqs names an event that is not earlier',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 13`,
    message: (a) => `sourceEventSeqs names seq ${a.source}, which is not earlier`,
  },
  'surface/sources-incomplete': {
    severity: 'error',
    layer: 'meaning',
    title: 'a replacement does not cite all it replaces',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: `${SURFACE_SOURCE} rule 14`,
    message: (a) => `sourceEventSeqs must name every replaced event; missing ${list(a.missing)}`,
  },
  'surface/rewrite-not-single': {
    severity: 'error',
    layer: 'meaning',
    title: 'a tool result replaces more than one event',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: 'format.md §5.4',
    message: (a) => `a tool/result may rewrite exactly one event, not ${a.nodes}`,
  },
  'surface/rewrite-not-result': {
    severity: 'error',
    layer: 'meaning',
    title: 'a tool result replaces something that is no tool result',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: 'format.md §5.4',
    message: (a) => `a tool/result may rewrite only a tool/result; seq ${a.target} is none`,
  },
  'surface/rewrite-changes-more': {
    severity: 'error',
    layer: 'meaning',
    title: 'a rewritten tool result changes more than its content',
    why: SURFACE_WHY,
    fix: WRITER_BUG,
    repairable: false,
    refused: true,
    source: 'format.md §5.4',
    message: (a) => `the rewrite of seq ${a.target} changes more than the content of the result`,
  },

  // Tool pairs -----------------------------------------------------------------------------------------------------
  'pair/result-pending': {
    severity: 'warning',
    layer: 'meaning',
    title: 'a tool call in the open turn has no result',
    why: 'The process ended while the call ran. DSH writes a closing result on the next resume.',
    fix: REPAIR,
    repairable: true,
    source: 'format.md §6.1',
    message: (a) =>
      a.startedAt === undefined || a.startedAt === null
        ? `tool call ${a.callId} (${a.name}) was never recorded as started and has no result`
        : `tool call ${a.callId} (${a.name}) has no result; its outcome is unknown`,
  },
  'pair/result-missing': {
    severity: 'error',
    layer: 'meaning',
    title: 'a tool call has no result although its step is closed',
    why: 'DSH opens the log and never closes the call. The provider refuses every further request of the session.',
    fix: 'Use /compact or fork before the call; the log itself cannot be appended to any more to mend it.',
    repairable: false,
    source: 'format.md §6.1',
    message: (a) =>
      `tool call ${a.callId} (${a.name}) has no result; its ${a.closedBy} follows at seq ${a.closedAt}`,
  },
  'pair/call-missing': {
    severity: 'error',
    layer: 'meaning',
    title: 'a tool result has no call',
    why: 'The provider refuses a request in which a result answers no call.',
    fix: 'Look at the event with "resurface why LOG SEQ"; a compaction that leaves it out mends the session.',
    repairable: false,
    source: 'format.md §7.1',
    message: (a) => `the result answers ${a.callId}, which no message of this step calls`,
  },
  'pair/result-repeated': {
    severity: 'error',
    layer: 'meaning',
    title: 'a tool call has two results',
    why: 'The provider refuses a request in which one call has two results.',
    fix: 'Look at both events with "resurface why LOG SEQ".',
    repairable: false,
    source: 'format.md §7.1',
    message: (a) => `tool call ${a.callId} has a result already, at seq ${a.firstAt}`,
  },
  'pair/id-repeated': {
    severity: 'error',
    layer: 'meaning',
    title: 'a tool call id is announced again while the first call waits',
    why: 'One of the two calls can never be answered; the provider refuses the request.',
    fix: WRITER_BUG,
    repairable: false,
    source: 'format.md §7.3',
    message: (a) => `tool call ${a.callId} is announced again; the call of seq ${a.firstAt} still waits`,
  },
  'pair/id-empty': {
    severity: 'error',
    layer: 'meaning',
    title: 'a tool call has no id or no name',
    why: 'The provider refuses it, and calls without an id cannot be told apart.',
    fix: WRITER_BUG,
    repairable: false,
    source: 'format.md §4.1',
    message: (a) => `a tool call has an empty ${a.member}`,
  },
  'pair/arguments-differ': {
    severity: 'warning',
    layer: 'meaning',
    title: 'a tool call ran with other arguments or another name than announced',
    why: 'The model is told something else than what happened. Readers of format 4 refuse the log.',
    fix: WRITER_BUG,
    repairable: false,
    source: 'format.md §7.3',
    message: (a) =>
      `tool call ${a.callId} ran with another ${a.member} than the message at seq ${a.advertisedAt} announced`,
  },
  'pair/surface-call-alone': {
    severity: 'error',
    layer: 'meaning',
    title: 'the model sees a tool call without its result',
    why: 'The provider refuses the next request of the session.',
    fix: 'Look at the result with "resurface why LOG SEQ": a replacement may have taken it away.',
    repairable: false,
    source: 'session-surface specification',
    message: (a) => `the surface holds tool call ${a.callId} without its result`,
  },
  'pair/surface-result-alone': {
    severity: 'error',
    layer: 'meaning',
    title: 'the model sees a tool result without its call',
    why: 'The provider refuses the next request of the session.',
    fix: 'Look at the call with "resurface why LOG SEQ": a replacement may have taken it away.',
    repairable: false,
    source: 'session-surface specification',
    message: (a) => `the surface holds the result of ${a.callId} without its call before it`,
  },
  'pair/surface-interrupted': {
    severity: 'error',
    layer: 'meaning',
    title: 'another message stands between a tool call and its result on the surface',
    why: 'Providers want every result right after the message that called for it.',
    fix: 'Look at the event between them with "resurface why LOG SEQ".',
    repairable: false,
    source: 'session-surface specification',
    message: (a) => `this message stands between tool call ${a.callId} (seq ${a.callAt}) and its result`,
  },

  // Turns and steps ------------------------------------------------------------------------------------------------
  'turn/open': {
    severity: 'warning',
    layer: 'meaning',
    title: 'the log ends inside a turn',
    why: 'The process ended before the turn did. DSH closes it on the next resume.',
    fix: REPAIR,
    repairable: true,
    source: 'format.md §6.1',
    message: (a) =>
      a.step === null || a.step === undefined
        ? `turn ${a.turn} was never closed`
        : `turn ${a.turn} was never closed, and neither was its step ${a.step}`,
  },
  'turn/nested': {
    severity: 'warning',
    layer: 'meaning',
    title: 'a turn starts while another is open',
    why: TURN_WHY,
    fix: 'Nothing needs to be done for format 0.',
    repairable: false,
    source: TURN_SOURCE,
    message: (a) => `turn ${a.turn} starts while turn ${a.open} is still open`,
  },
  'turn/number': {
    severity: 'warning',
    layer: 'meaning',
    title: 'turn numbers do not follow one another',
    why: TURN_WHY,
    fix: 'Nothing needs to be done for format 0.',
    repairable: false,
    source: TURN_SOURCE,
    message: (a) => `expected turn ${a.expected}, found ${short(a.turn)}`,
  },
  'turn/end-mismatch': {
    severity: 'warning',
    layer: 'meaning',
    title: 'a turn end names a turn that is not open',
    why: TURN_WHY,
    fix: 'Nothing needs to be done for format 0.',
    repairable: false,
    source: TURN_SOURCE,
    message: (a) => `turn/end names turn ${short(a.turn)}; open is ${open(a.open, 'turn')}`,
  },
  'turn/open-step': {
    severity: 'warning',
    layer: 'meaning',
    title: 'a turn ends while a step is open',
    why: TURN_WHY,
    fix: 'Nothing needs to be done for format 0.',
    repairable: false,
    source: TURN_SOURCE,
    message: (a) => `turn ${short(a.turn)} ends while step ${a.step} is still open`,
  },
  'turn/outside': {
    severity: 'warning',
    layer: 'meaning',
    title: 'an event that belongs into a turn stands outside any',
    why: TURN_WHY,
    fix: 'Nothing needs to be done for format 0.',
    repairable: false,
    source: TURN_SOURCE,
    message: (a) => `${a.type} stands outside any turn`,
  },
  'step/no-turn': {
    severity: 'warning',
    layer: 'meaning',
    title: 'a step starts in a turn that is not open',
    why: TURN_WHY,
    fix: 'Nothing needs to be done for format 0.',
    repairable: false,
    source: TURN_SOURCE,
    message: (a) => `step/start names turn ${short(a.turn)}; open is ${open(a.open, 'turn')}`,
  },
  'step/nested': {
    severity: 'warning',
    layer: 'meaning',
    title: 'a step starts while another is open',
    why: TURN_WHY,
    fix: 'Nothing needs to be done for format 0.',
    repairable: false,
    source: TURN_SOURCE,
    message: (a) => `step ${short(a.step)} starts while step ${a.open} is still open`,
  },
  'step/number': {
    severity: 'warning',
    layer: 'meaning',
    title: 'step numbers do not follow one another',
    why: TURN_WHY,
    fix: 'Nothing needs to be done for format 0.',
    repairable: false,
    source: TURN_SOURCE,
    message: (a) => `expected step ${a.expected} in turn ${short(a.turn)}, found ${short(a.step)}`,
  },
  'step/outside': {
    severity: 'warning',
    layer: 'meaning',
    title: 'an event names a turn and step that are not open',
    why: TURN_WHY,
    fix: 'Nothing needs to be done for format 0.',
    repairable: false,
    source: TURN_SOURCE,
    message: (a) =>
      `${a.type} names turn ${short(a.turn)}, step ${short(a.step)}; open is ${open(a.openTurn, 'turn')}, ${open(a.openStep, 'step')}`,
  },
} as const satisfies Record<string, Rule>

export type FindingCode = keyof typeof RULES

export function ruleOf(code: FindingCode): Rule {
  return RULES[code]
}

export function isFindingCode(code: string): code is FindingCode {
  return Object.hasOwn(RULES, code)
}

/** A value of unknown shape in a sentence, cut so that a hostile one cannot flood it. */
function short(value: unknown): string {
  const text =
    value === undefined ? 'nothing' : typeof value === 'object' ? 'a compound value' : String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function list(value: unknown): string {
  const seqs = Array.isArray(value) ? value : []
  return seqs.length > 10 ? `${seqs.slice(0, 10).join(', ')} and ${seqs.length - 10} more` : seqs.join(', ')
}

function open(value: unknown, what: string): string {
  return value === undefined || value === null ? `no ${what}` : `${what} ${value}`
}
