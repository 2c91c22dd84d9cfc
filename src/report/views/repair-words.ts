/** The steps of a repair in words: what is done, and why. */
import { type FindingCode, ruleOf } from '../../core/findings/rules.ts'
import { stringifyJson } from '../../core/json/stringify-json.ts'
import type { RepairStep, StepArgs } from '../../core/repair/repair-step.ts'
import type { RowMend } from '../../core/repair/row-mend.ts'
import { FAMILIES } from '../../core/repair/upgrade-families.ts'
import { plural } from '../number-text.ts'

export interface StepWords {
  readonly what: string
  readonly reason: string
}

export function wordsOfStep(step: RepairStep): StepWords {
  return { what: whatOf(step), reason: reasonOf(step) }
}

function reasonOf({ kind, finding }: RepairStep): string {
  switch (kind) {
    case 'truncate':
      return 'it was asked for'
    case 'upgrade':
      return 'the target refuses it'
    case 'move-rows':
      return 'the row carries a wrong seq'
    case 'sort-rows':
      return 'rows are out of order'
    case 'close-gap':
    case 'fill-gap':
      return 'events are missing'
    case 'close-turn':
      return 'the log ends inside a turn'
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
      return `put a header in front that the place of the log suggests: ${stringifyJson(step.args.header)}`
    case 'mend-header': {
      const { fields, header } = step.args
      return `mend the header (${fields.join(', ')}): ${stringifyJson(header)}`
    }
    case 'mend-rows':
      return `${ROWS[step.args.mend]}: ${linesOf(step)}`
    case 'mend-surface':
      return `let replacements name the messages that they replace, and cite them (${plural(count, 'event')})`
    case 'mend-lines':
      return `${MENDED[step.finding ?? ''] ?? 'mend'}: ${linesOf(step)}`
    case 'cut-tail': {
      const { bytes, byteOffset, keepsRecords } = step.args
      const from = byteOffset === undefined ? '' : `, from byte ${byteOffset}`
      const kept = keepsRecords ? '; the records that can be read of it are written anew' : ''
      return `cut the last ${bytes} bytes off${from}, to quarantine${kept}`
    }
    case 'rewrite-frames':
    case 'salvage-database':
      return STORED[step.finding ?? ''] ?? 'write the log anew'
    case 'drop-rows':
      return step.args.why === 'unreadable'
        ? `take ${plural(count, 'line')} out, to quarantine: ${linesOf(step)}`
        : `take ${plural(count, 'event')} out, to quarantine: ${DROPPED[step.args.why]}`
    case 'drop-branch':
      return `take ${plural(count, 'event')} out, to quarantine: ${DROPPED[step.args.why]}`
    case 'sort-rows':
      return `put ${plural(count, 'event')} back in the order of their seqs; no other event has them`
    case 'move-rows':
      return `number the row ${step.args.seq}: it follows on but for its own number`
    case 'close-gap': {
      const { first, last } = step.args
      const missing = first === last ? `seq ${first} is` : `seqs ${first} to ${last} are`
      return `close the gap: ${missing} missing, and later events move up with every reference to them`
    }
    case 'fill-gap': {
      const { first, last, types } = step.args
      const missing = first === last ? `seq ${first}, which is` : `seqs ${first} to ${last}, which are`
      const left = last - first + 1 - types.length
      const moves =
        left === 0 ? 'later events keep their numbers' : 'later events move with every reference to them'
      return `put back what the events around it prove at ${missing} missing: ${types.join(', ')}; ${moves}`
    }
    case 'insert-brackets':
      return `put in what readers need and the events around it prove: ${step.args.types.join(', ')}; later events move with every reference to them`
    case 'drop-events':
      return `take ${plural(count, 'event')} out, to quarantine: seq ${step.seqs?.join(', ')}; later events move up with every reference to them`
    case 'truncate':
      return `cut off the ${plural(count, 'event')} after seq ${step.args.after}; they go to quarantine`
    case 'set-identities':
      return `${identityWords(step.args.patch, step.finding)} (${plural(count, 'event')})`
    case 'mark-ignorable':
      return `mark events of unknown types ignorable (${plural(count, 'event')})`
    case 'fit-inbox':
      return `fit inbox splices to the inbox (${plural(count, 'event')})`
    case 'note-results':
      return `keep ${count === 1 ? 'a tool result whose call is lost as a text note' : `${count} tool results whose calls are lost as text notes`} where ${count === 1 ? 'it was' : 'they were'}`
    case 'name-turn':
      return `let compactions name the turn that they are in (${plural(count, 'event')})`
    case 'end-compaction':
      return `let compactions whose summary is lost end with an error (${plural(count, 'event')})`
    case 'insert-results':
      return count === 1
        ? 'insert the missing result of a tool call; every later event and every reference to one moves up by one'
        : `insert the missing results of ${count} tool calls; later events and every reference to one move up`
    case 'close-turn':
      return `append ${plural(count, 'closing event')}`
    case 'upgrade': {
      const { title, change, keeps } = FAMILIES[step.args.family]
      return `${title} (${plural(count, 'event')}): ${change}; ${keeps}`
    }
    case 'note-exchanges': {
      const what = count === 1 ? 'a message' : `${count} messages`
      return `replace ${what} on the surface by a text note; the events stay in the log`
    }
  }
}

/** The first lines of a step. */
function linesOf({ lines = [], count }: RepairStep): string {
  const more = count > 5 ? ` and ${count - 5} more` : ''
  return `line${count === 1 ? '' : 's'} ${lines.slice(0, 5).join(', ')}${more}`
}

const MENDED: Readonly<Record<string, string>> = {
  'bytes/nul-padding': 'remove the NUL bytes around records',
  'bytes/spliced-line': 'separate records that share a line; what belongs to none goes to quarantine',
  'bytes/split-line': 'join records that were split over two lines',
}

const ROWS: Readonly<Record<RowMend, string>> = {
  members: 'remove members that do not belong to an event',
  ignorable: 'remove a mark "ignorable" that is not true',
  time: 'give events without a usable time that of the event before',
  type: 'name the type that the data of an event shows',
  data: 'give a bracket the turn and step that the events before it tell',
  sources: 'remove sources that an event cannot cite; the list is optional',
  operation: 'mend or remove the surface operation of an event',
  role: 'give messages the role of their type',
  origin: 'name the source of a message, which the log tells',
  content: 'put the content of a message into the shape that readers take',
  call: 'name the call that a result answers, which the log tells',
  settlement: 'give answers the stream, turn and step that they lack',
  request: 'mend request headers from what the log tells about the model',
  turn: 'mend turn brackets',
  shape: 'write rows in the shape of the format of the log',
  packed: 'mend packed rows; every text in them stays',
}

const STORED: Readonly<Record<string, string>> = {
  'bytes/header-frame': 'put the header into a frame of its own',
  'bytes/frame-splits-record': 'end frames where records end',
  'bytes/corrupt-frame': 'leave damaged frames out; their bytes go to quarantine',
  'bytes/frame-structure': 'leave out bytes that are no frame; they go to quarantine',
  'bytes/frame-hides-rest': 'leave out the frame that hides what follows it; its bytes go to quarantine',
  'database/damaged':
    'write the rows of the session that can be reached into a fresh database; nothing else of the old one is carried over',
  'database/foreign':
    'write the session into a fresh database that DSH opens; nothing else of the old one is carried over',
}

const DROPPED: Readonly<Record<Exclude<StepArgs['drop-rows']['why'], 'unreadable'>, string>> = {
  identical: 'they are a copy of events that are there already',
  closers: 'a recovery closed the turn, and the old process kept writing',
  'late-closers': 'a recovery closed a turn that had gone on',
  'packed-overlap': 'a packed row holds them too',
  'two-writers': 'two writers went on from the same event, and this branch did not continue',
  unnumbered: 'they have no usable seq',
  unplaced: 'they belong to events that are lost, and readers refuse them without',
}

function identityWords(patch: string, finding: FindingCode | undefined): string {
  if (patch === 'call-blocks') return 'give tool calls an id and a name'
  if (patch === 'call-id') return 'name the call in what belongs to it'
  return finding === 'message/id-repeated' ? 'give messages an id of their own' : 'give messages an id'
}
