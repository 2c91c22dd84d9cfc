/** The steps of a repair in words: what is done, and why. */
import { type FindingCode, ruleOf } from '../../core/findings/rules.ts'
import { stringifyJson } from '../../core/json/stringify-json.ts'
import type { HeaderSources, RepairKind, RepairStep, StepArgs } from '../../core/repair/repair-step.ts'
import type { RowMend } from '../../core/repair/row-mend.ts'
import { FAMILIES, type FamilyName } from '../../core/repair/upgrade-families.ts'
import { plural } from '../number-text.ts'

export interface StepWords {
  readonly what: string
  readonly reason: string
}

export function wordsOfStep(step: RepairStep): StepWords {
  return { what: whatOf(step), reason: reasonOf(step) }
}

function reasonOf(step: RepairStep): string {
  const { kind, finding } = step
  switch (kind) {
    case 'truncate':
    case 'cancel-waiting':
      return 'it was asked for'
    case 'drop-events':
      return step.args.dropsAsDsh
        ? 'readers refuse them, and DSH leaves them out with the end of the log'
        : 'it was asked for'
    case 'upgrade':
      return 'the target refuses it'
    case 'move-rows':
      return 'the record has a wrong seq'
    case 'sort-rows':
      return 'records are out of order'
    case 'close-gap':
    case 'fill-gap':
      return 'events are missing'
    case 'insert-brackets':
      return step.args.types.every((type) => type === 'compaction/end')
        ? 'a compaction was never ended'
        : 'readers need them, and the log lacks them'
    case 'close-turn':
      return 'the log ends inside a turn'
    case 'mend-rows':
      return ROWS[step.args.mend].reason
    case 'mend-surface':
      return 'range or sources do not fit what the model sees there'
    default:
      return finding === undefined ? 'it was asked for' : ruleOf(finding).title
  }
}

function whatOf(step: RepairStep): string {
  const { count } = step
  switch (step.kind) {
    case 'remove-byte-order-mark':
      return 'remove the byte order mark'
    case 'add-header':
      return `add a header: ${stringifyJson(step.args.header)}; ${sourcesOf(step.args.from)}`
    case 'mend-header': {
      const { fields, header } = step.args
      return `correct the header (${fields.join(', ')}): ${stringifyJson(header)}`
    }
    case 'mend-rows':
      return `${ROWS[step.args.mend].what}: ${linesOf(step)}`
    case 'mend-surface':
      return `make ${count === 1 ? 'a replacement' : `${count} replacements`} name and cite the messages that ${count === 1 ? 'it replaces' : 'they replace'}`
    case 'mend-lines':
      return `${LINES[step.finding ?? ''] ?? 'mend broken lines'}: ${linesOf(step)}`
    case 'cut-tail': {
      const { bytes, byteOffset, keepsRecords } = step.args
      const from = byteOffset === undefined ? '' : `, from byte ${byteOffset} on,`
      const kept = keepsRecords ? '; the whole records in them are kept' : ''
      return `move the last ${plural(bytes, 'byte')}${from} to quarantine${kept}`
    }
    case 'write-lines':
    case 'write-container':
    case 'rewrite-frames':
    case 'salvage-database':
      return STORED[step.finding ?? ''] ?? 'write the log anew'
    case 'drop-rows':
      return step.args.why === 'unreadable'
        ? `move ${plural(count, 'line')} to quarantine: ${linesOf(step)}`
        : `move ${plural(count, 'event')} to quarantine: ${DROPPED[step.args.why]}`
    case 'drop-branch':
      return `move ${plural(count, 'event')} to quarantine: ${DROPPED[step.args.why]}`
    case 'sort-rows':
      return `put ${plural(count, 'event')} back in the order of their seqs; no other event has them`
    case 'move-rows':
      return `give the record seq ${step.args.seq}, which is the next one and free`
    case 'close-gap': {
      const { first, last } = step.args
      return `close the gap (${seqsText(first, last)}); ${RENUMBERED}`
    }
    case 'fill-gap': {
      const { first, last, types } = step.args
      const left = last - first + 1 - types.length
      return `put back what the events around the gap (${seqsText(first, last)}) prove: ${types.join(', ')}; ${left === 0 ? 'later events keep their numbers' : RENUMBERED}`
    }
    case 'insert-brackets':
      return `insert what the events around it prove: ${step.args.types.join(', ')}; ${RENUMBERED}`
    case 'drop-events':
      return `move ${plural(count, 'event')} to quarantine: seq ${step.seqs?.join(', ')}; ${RENUMBERED}`
    case 'cancel-waiting':
      return `take ${plural(count, 'message')} out of the inbox, which ${count === 1 ? 'stays' : 'stay'} in the log at seq ${step.seqs?.join(', ')}`
    case 'truncate':
      return `move the ${plural(count, 'event')} after seq ${step.args.after} to quarantine`
    case 'set-identities':
      return `${identityWords(step.args, step.finding)} (${plural(count, 'event')})`
    case 'mark-ignorable':
      return `mark events of unknown types as ignorable (${plural(count, 'event')})`
    case 'fit-inbox':
      return `make inbox splices fit the inbox (${plural(count, 'event')})`
    case 'note-results':
      return count === 1
        ? 'keep a tool result whose call is lost as a text note where it was'
        : `keep ${count} tool results whose calls are lost as text notes where they were`
    case 'mend-relations':
      return step.finding === 'relation/compaction-summary-missing'
        ? `end compactions whose summary is lost with an error (${plural(count, 'event')})`
        : `set ${step.args.members.join(', ')} to what the rest of the log tells (${plural(count, 'event')})`
    case 'insert-results':
      return `insert the missing ${count === 1 ? 'result of a tool call' : `results of ${count} tool calls`}; ${RENUMBERED}`
    case 'close-turn':
      return `append ${plural(count, 'closing event')}`
    case 'upgrade': {
      const { title, change, keeps } = FAMILIES[step.args.family]
      return `${title} (${plural(count, 'event')}): ${change}; ${keeps}`
    }
    case 'note-exchanges':
      return count === 1
        ? 'show the model a text note in place of a message; the event stays in the log'
        : `show the model a text note in place of each of ${count} messages; the events stay in the log`
  }
}

/** What a kind of step, or a family of an upgrade, is called where steps of many logs are counted. */
export function stepTitle(kind: string): string {
  if (Object.hasOwn(FAMILIES, kind)) return FAMILIES[kind as FamilyName].title
  return Object.hasOwn(TITLES, kind) ? TITLES[kind as keyof typeof TITLES] : kind
}

const TITLES: Readonly<Record<Exclude<RepairKind, 'upgrade'>, string>> = {
  'write-lines': 'the text is written as lines of UTF-8',
  'write-container': 'the log is stored as its name says',
  'remove-byte-order-mark': 'a byte order mark is removed',
  'add-header': 'a missing header is added',
  'mend-header': 'the header is corrected',
  'mend-lines': 'broken lines are mended',
  'mend-rows': 'malformed events are corrected from what the log tells',
  'mend-surface': 'replacements name and cite what they replace',
  'cut-tail': 'a truncated end goes to quarantine',
  'rewrite-frames': 'compressed frames are written anew',
  'salvage-database': 'what can be read of a damaged database goes into a new one',
  'drop-rows': 'records that have no place go to quarantine',
  'drop-branch': 'the branch that did not continue goes to quarantine',
  'sort-rows': 'records are put back in order',
  'move-rows': 'records with a wrong seq are numbered',
  'close-gap': 'later events are renumbered over a gap',
  'fill-gap': 'what the neighbours of a gap prove is put back',
  'insert-brackets': 'missing starts and ends of turns and steps are inserted',
  'cancel-waiting': 'messages that wait are taken out of the inbox',
  'drop-events': 'events that were named go to quarantine',
  truncate: 'everything after a place goes to quarantine',
  'set-identities': 'missing or repeated ids are set',
  'mark-ignorable': 'events of unknown types are marked ignorable',
  'fit-inbox': 'inbox splices are made to fit',
  'mend-relations': 'events say of other events what these say of themselves',
  'note-results': 'results of lost calls become text notes',
  'insert-results': 'missing tool results are inserted',
  'close-turn': 'an interrupted turn is closed',
  'note-exchanges': 'broken tool exchanges are shown as text notes',
}

const RENUMBERED = 'later events are renumbered, with every reference to them'

function seqsText(first: number, last: number): string {
  return first === last ? `seq ${first}` : `seqs ${first} to ${last}`
}

/** What the members of a header come from. */
function sourcesOf(from: HeaderSources): string {
  const bySource = new Map<string, string[]>()
  for (const [member, source] of Object.entries(from))
    bySource.set(source, [...(bySource.get(source) ?? []), member])
  return [...bySource].map(([source, members]) => `${members.join(', ')} ${SOURCES[source]}`).join('; ')
}

const SOURCES: Readonly<Record<string, string>> = {
  line: 'from what can be read of its line',
  place: 'from the folders that the log is in',
  file: 'from the name of the log',
  events: 'from the events',
  like: 'from the other session',
  usual: 'as in any session that no other one started',
} satisfies Record<HeaderSources[string], string>

/** The first lines of a step. */
function linesOf({ lines = [], count }: RepairStep): string {
  const more = count > 5 ? ` and ${count - 5} more` : ''
  return `line${count === 1 ? '' : 's'} ${lines.slice(0, 5).join(', ')}${more}`
}

const LINES: Readonly<Record<string, string>> = {
  'bytes/nul-padding': 'remove the NUL bytes around records',
  'bytes/spliced-line': 'separate records that share a line; what belongs to none goes to quarantine',
  'bytes/split-line': 'join records that a line feed has split',
  'bytes/layout':
    'write records as lines of their own, which changes only the blanks and marks around their parts',
}

const ROWS: Readonly<Record<RowMend, StepWords>> = {
  members: {
    what: 'remove members that do not belong to an event',
    reason: 'readers refuse an event with other members',
  },
  ignorable: { what: 'remove "ignorable" where it is not true', reason: 'readers refuse it there' },
  time: {
    what: 'give events without a usable time that of the event before',
    reason: 'an event has no time',
  },
  type: {
    what: 'give events the present name of their type, which their data shows',
    reason: 'no release of this format reads the type that they name',
  },
  data: {
    what: 'give a bracket the turn and step that the events before it tell',
    reason: 'a bracket names no turn or step',
  },
  sources: {
    what: 'make events cite what was streamed of them, or remove sources that they cannot cite; the list is optional',
    reason: 'readers refuse such a list',
  },
  operation: {
    what: 'add, correct or remove surfaceOp',
    reason: 'readers want exactly the one that the event needs',
  },
  role: { what: 'give messages the role of their type', reason: 'a message has the wrong role' },
  origin: {
    what: 'name the source of messages, which the log tells',
    reason: 'a message has no valid source',
  },
  content: {
    what: 'put the content of messages into the shape that readers take',
    reason: 'the content of a message is malformed',
  },
  call: {
    what: 'name the call that a result answers, which the log tells',
    reason: 'a result names no call, or two',
  },
  start: {
    what: 'make starts of tool calls say what the answer before them announced',
    reason: 'a tool call ran with another id, name or arguments than announced',
  },
  place: {
    what: 'make events name the turn and step that they are in',
    reason: 'an event names a turn and step that are not open',
  },
  settlement: {
    what: 'give answers the stream, turn and step that they lack',
    reason: 'readers refuse an answer without them',
  },
  request: {
    what: 'mend request headers from what the log tells about the model',
    reason: 'a request header cannot be sent to a model',
  },
  turn: { what: 'mend the starts and ends of turns', reason: 'a start or end of a turn is malformed' },
  shape: {
    what: 'write records in the shape of their format',
    reason: 'a record has a shape that its format does not allow',
  },
  packed: { what: 'mend packed rows; every text in them stays', reason: 'a packed row cannot be expanded' },
}

const STORED: Readonly<Record<string, string>> = {
  'bytes/utf-16': 'write the text as UTF-8',
  'bytes/container-name': 'store the log as its name says',
  'bytes/layout': 'write every record as a line of its own, which changes only the blanks between its parts',
  'bytes/header-frame': 'put the header into a frame of its own',
  'bytes/frame-splits-record': 'end frames where records end',
  'bytes/corrupt-frame':
    'keep the records of damaged frames that can be read; the bytes of these frames go to quarantine',
  'bytes/frame-header': 'write frames with damaged headers anew, with the same content',
  'bytes/frame-structure': 'leave out bytes that are no frame; they go to quarantine',
  'bytes/frame-hides-rest': 'leave out the frame that hides what follows it; its bytes go to quarantine',
  'database/damaged':
    'write the rows of the session that can be reached into a new database; nothing else of the old one is carried over',
  'database/foreign':
    'write the session into a new database that DSH opens; nothing else of the old one is carried over',
}

const DROPPED: Readonly<Record<Exclude<StepArgs['drop-rows']['why'], 'unreadable'>, string>> = {
  identical: 'they are copies of events that are there already',
  closers: 'a recovery closed the turn, and the old process kept writing',
  'late-closers': 'a recovery closed a turn that had gone on',
  'packed-overlap': 'a packed row holds them too',
  'two-writers': 'two processes went on from the same event, and this branch did not continue',
  unnumbered: 'they have no usable seq',
  unplaced: 'they belong to events that are lost, and readers refuse them without those',
  unrelated: 'they belong to nothing in this log, and readers refuse them',
}

function identityWords(
  { patch, members = [] }: StepArgs['set-identities'],
  finding: FindingCode | undefined,
): string {
  if (patch === 'call-blocks')
    return `give tool calls ${members.map((member) => (member === 'id' ? 'an id' : 'the name that they were started with')).join(' and ')}`
  if (patch === 'call-id') return 'name the call in what belongs to it'
  return finding === 'message/id-repeated' ? 'give messages an id of their own' : 'give messages an id'
}
