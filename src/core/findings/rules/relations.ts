/** Relations that the readers of format 4 enforce, apart from those of turns, calls and compactions. */
import { family } from '../rule.ts'
import { ENFORCED, inFormat4 } from './shared-words.ts'

export const RELATION = family(ENFORCED, {
  'relation/data-not-object': {
    title: 'an event has no object as data',
    why: inFormat4('events of this type have an object as data'),
    args: { type: 'name' },
    message: (a) => `the data of this ${a.type} is not an object`,
  },
  'relation/system-head': {
    title: 'a system message comes after other messages',
    why: inFormat4('a system prompt must be the first message of the surface'),
    args: {},
    message: () => 'the surface does not begin with a system message, and this one is not its first',
  },
  'relation/source': {
    title: 'a message does not say who produced it',
    why: inFormat4('every message must name its producer'),
    args: { type: 'name' },
    message: (a) => `a message in this ${a.type} names no producer`,
  },
  'relation/tool-change-header': {
    title: 'an added tool refers to a request header that is not there',
    repairs: ['mend-relations'],
    why: inFormat4('a developer message that adds a tool must name the request header that has it'),
    args: { headerSeq: 'value' },
    message: (a) => `headerSeq is ${a.headerSeq}, which is no earlier request/header`,
  },
  'relation/tool-change-tool': {
    title: 'a developer message adds a tool that its request header does not have',
    repairs: ['mend-relations'],
    why: inFormat4('a developer message that adds a tool must name the request header that has it'),
    args: { toolName: 'value', headerSeq: 'value' },
    message: (a) => `the request/header at seq ${a.headerSeq} does not have tool ${a.toolName} exactly once`,
  },
})

const SOURCE_PROBLEM = {
  'not-earlier': ', which is no earlier event',
  'no-success': ', but only a successful command has one',
  command: ', which is itself an event of a command',
} as const

export const COMMAND_RELATION = family(
  { ...ENFORCED, why: inFormat4('a command must be run before it is done') },
  {
    'relation/command-id-missing': {
      title: 'a command has no id',
      args: {},
      message: () => 'this command/run has no commandId',
    },
    'relation/command-repeated': {
      title: 'a command id is used twice',
      args: { commandId: 'name' },
      message: (a) => `command ${a.commandId} was run before`,
    },
    'relation/command-not-run': {
      repairs: ['mend-relations', 'drop-rows'],
      unrelated: true,
      title: 'a command is done that was never run',
      args: { commandId: 'value' },
      message: (a) => `no earlier command/run has the id ${a.commandId}`,
    },
    'relation/command-source': {
      title: 'a finished command points to an event that it cannot have produced',
      repairs: ['mend-relations'],
      args: { why: SOURCE_PROBLEM, source: 'value' },
      message: (a) => `sourceEventSeq is ${a.source}${a.why}`,
    },
  },
)

export const TITLE_RELATION = family(
  { ...ENFORCED, why: inFormat4('a title must cite messages of the user, unless the user gave it') },
  {
    'relation/title-sources': {
      repairs: ['mend-relations'],
      title: 'a title does not come from messages of the user',
      args: { seqs: 'value' },
      message: (a) => `messageSeqs is ${a.seqs}; it must name distinct earlier messages of the user`,
    },
    'relation/title-author': {
      repairs: ['mend-relations'],
      title: 'a title cites messages although the user gave it, or none although nobody did',
      args: { isByUser: 'flag' },
      message: (a) =>
        a.isByUser
          ? 'the user gave this title, but it cites messages'
          : 'this title cites no message, and the user did not give it',
    },
    'relation/title-request': {
      title: 'a request for a title is not one message of the title provider',
      args: {},
      message: () => 'messages must be exactly one user message of the title provider with one text',
    },
  },
)

export const RETRY_RELATION = family(
  { ...ENFORCED, why: inFormat4('attempts of a retry must be in order') },
  {
    'relation/retry-provider': {
      repairs: ['mend-relations'],
      title: 'a retry names another provider than the latest request',
      args: { provider: 'value', expected: 'value' },
      message: (a) => `the retry names provider ${a.provider}; the latest request/header has ${a.expected}`,
    },
    'relation/retry-step': {
      repairs: ['mend-relations'],
      title: 'a retry belongs to a step that is over',
      args: { turn: 'value', step: 'value' },
      message: (a) => `turn ${a.turn}, step ${a.step} is neither open nor the last to close`,
    },
    'relation/retry-number': {
      repairs: ['mend-relations'],
      title: 'attempts of a retry are not consecutive',
      args: { retry: 'value', expected: 'number' },
      message: (a) => `expected attempt ${a.expected}, found ${a.retry}`,
    },
    'relation/retry-id': {
      repairs: ['mend-relations'],
      title: 'attempts of a retry have different ids',
      args: { retryId: 'value', expected: 'value' },
      message: (a) => `retryId is ${a.retryId}; the attempt before has ${a.expected}`,
    },
    'relation/retry-not-scheduled': {
      repairs: ['mend-relations', 'drop-rows'],
      unrelated: true,
      title: 'a retry was started that was never scheduled',
      args: { retryId: 'value', retry: 'value' },
      message: (a) => `no scheduled attempt ${a.retry} of retry ${a.retryId} is waiting`,
    },
  },
)

export const DISPATCH_RELATION = family(
  { ...ENFORCED, why: inFormat4('a dispatch must be started once and settled as started') },
  {
    'relation/dispatch-id-missing': {
      title: 'a tool dispatch lacks an id',
      args: {},
      message: () => 'the dispatch lacks subCallId or rootCallId',
    },
    'relation/dispatch-repeated': {
      title: 'a tool dispatch was started twice',
      args: { subCallId: 'name' },
      message: (a) => `dispatch ${a.subCallId} was started before`,
    },
    'relation/dispatch-parent': {
      repairs: ['mend-relations'],
      title: 'a tool dispatch belongs to another call than its parent',
      args: { subCallId: 'name', parentCallId: 'value', rootCallId: 'name' },
      message: (a) =>
        `parent ${a.parentCallId} of dispatch ${a.subCallId} does not belong to ${a.rootCallId}`,
    },
    'relation/dispatch-not-started': {
      repairs: ['mend-relations', 'drop-rows'],
      unrelated: true,
      title: 'a tool dispatch was settled that was never started',
      args: { subCallId: 'value' },
      message: (a) => `dispatch ${a.subCallId} was never started`,
    },
    'relation/dispatch-settled-twice': {
      repairs: ['drop-rows'],
      unrelated: true,
      title: 'a tool dispatch was settled twice',
      args: { subCallId: 'name' },
      message: (a) => `dispatch ${a.subCallId} is settled already`,
    },
    'relation/dispatch-differs': {
      repairs: ['mend-relations'],
      title: 'a tool dispatch was settled as another than was started',
      args: { subCallId: 'name', member: 'name' },
      message: (a) => `dispatch ${a.subCallId} differs from its start in ${a.member}`,
    },
  },
)

export const LINEAGE_RELATION = family(
  { ...ENFORCED, why: inFormat4('an upload mark must name its own session and an earlier event') },
  {
    'relation/delivery-version': {
      title: 'the format of an upload mark is no number',
      args: { version: 'value' },
      message: (a) => `sessionFormatVersion is ${a.version}`,
    },
    'relation/delivery-seq': {
      title: 'an upload mark names an event that is not earlier',
      args: { throughSeq: 'value' },
      message: (a) => `throughSeq is ${a.throughSeq}, which is no earlier event`,
    },
    'relation/delivery-session': {
      repairs: ['drop-rows'],
      unrelated: true,
      title: 'an upload mark belongs to another session',
      settledLater: true,
      args: { session: 'value' },
      message: (a) => `the mark is for session ${a.session}, and nothing says that it was inherited`,
    },
  },
)

export const CATALOG_RELATION = family(
  { ...ENFORCED, why: inFormat4('every child session is in the catalogue once, in a known form') },
  {
    'relation/catalog-mode': {
      repairs: ['mend-relations'],
      title: 'an entry of the catalogue of children has no known form',
      args: { version: 'value', mode: 'value' },
      message: (a) => `version ${a.version} has no mode ${a.mode}`,
    },
    'relation/catalog-child': {
      title: 'an entry of the catalogue of children does not identify its child',
      args: {},
      message: () => 'the entry lacks childId or childCreatedAt',
    },
    'relation/catalog-label': {
      title: 'a child session that can be continued has no label',
      args: { childId: 'name' },
      message: (a) => `child ${a.childId} is continuable and has no label`,
    },
    'relation/catalog-repeated': {
      repairs: ['drop-rows'],
      unrelated: true,
      title: 'a child session is in the catalogue twice',
      args: { childId: 'name' },
      message: (a) => `child ${a.childId} is in the catalogue already`,
    },
  },
)
