/** Events that carry a message or a request. */
import { plural } from '../grammar.ts'
import { family, wording } from '../rule.ts'
import { about, MEND, REPAIR } from './shared-words.ts'

const MESSAGE_SOURCE = 'format.md §4.4'
const MESSAGE_WHY = 'A message without this cannot be sent to a model, so DSH refuses the whole log.'

const SOURCES = {
  kind: 'with a kind',
  model: 'of kind model with provider and model',
  plugin: 'of kind plugin',
  'system-prompt': 'of kind system-prompt',
  tool: 'of kind tool with a callId',
} as const

const CONTENTS = { list: 'a list as content', result: 'exactly one tool-result block' } as const

/** What is wrong with the stream that an answer embeds, or with one of its records. */
const SETTLEMENTS = {
  numbers: 'turn and step must be whole numbers',
  'no-stream': 'it has no stream',
  content: 'its content disagrees with its embedded stream',
  usage: 'its usage disagrees with its embedded stream',
  'replay-state': 'its replay state disagrees with its embedded stream',
  'no-object': 'it is no object',
  members: 'it needs exactly %',
  time: 'time is no whole number',
  'chunk-type': 'chunk has no type',
  type: 'its type is unknown',
  index: 'index is no number',
  texts: '% is no list of strings',
  gaps: 'dt does not fit the number of members',
  'first-time': 'time0 is no whole number',
  'later-time': 'a time is no whole number',
} as const

const REQUESTS = {
  model: 'lacks provider and model',
  effort: 'has an empty or odd reasoningEffort',
  reason: 'has an invalid reason',
  'retired-reason': 'has a reason that no reader takes',
  series: 'has an invalid startsSeries marker',
  'empty-tools': 'must leave out empty tools',
  'empty-defaults': 'must leave out empty adapterDefaults',
  'no-defaults': 'has adapterDefaults that are no object',
  defaults: 'has invalid adapterDefaults',
} as const

const REPEATED = wording({
  title: 'a part of the history was appended again',
  args: { id: 'name', messages: 'count', last: 'seq', firstAt: 'seq', lastAt: 'seq' },
  message: (a) =>
    `${plural(a.messages, 'message')} up to seq ${a.last}, in the order of seq ${a.firstAt} to ${a.lastAt}`,
})

export const MESSAGE = family(
  {
    severity: 'error',
    layer: 'meaning',
    why: MESSAGE_WHY,
    fix: MEND,
    repairable: false,
    source: MESSAGE_SOURCE,
  },
  {
    'message/id-missing': {
      repairs: ['set-identities', 'mend-rows'],
      title: 'a message has no id',
      fix: REPAIR,
      repairable: true,
      refused: true,
      args: { type: 'name' },
      message: (a) => `the ${a.type} has no message with an id`,
    },
    'message/role-wrong': {
      repairs: ['mend-rows'],
      title: 'a message has the wrong role',
      fix: MEND,
      refused: true,
      args: { type: 'name', role: 'text', got: 'value' },
      message: (a) => `the message of the ${a.type} must have role ${a.role}, not ${a.got}`,
    },
    'message/source-invalid': {
      repairs: ['mend-rows'],
      title: 'a message has no valid source',
      fix: MEND,
      refused: true,
      args: { type: 'name', needs: SOURCES },
      message: (a) => `the message of the ${a.type} needs a source ${a.needs}`,
    },
    'message/content-invalid': {
      repairs: ['mend-rows'],
      title: 'the content of a message is not a list of blocks',
      fix: MEND,
      refused: true,
      args: { type: 'name', needs: CONTENTS },
      message: (a) => `the message of the ${a.type} needs ${a.needs}`,
    },
    'message/id-repeated': {
      repairs: ['set-identities', 'mend-rows'],
      title: 'a message id occurs twice',
      severity: 'warning',
      why: 'The history may have been written twice. Feedback and titles that name the message may point at the wrong one.',
      fix: REPAIR,
      repairable: true,
      settledLater: true,
      source: 'format.md §4.1',
      args: { id: 'name', firstAt: 'seq' },
      message: (a) => `message id ${a.id} was used before, at seq ${a.firstAt}`,
    },
    'message/history-repeated': {
      ...REPEATED,
      ofManyEvents: true,
      title: 'a part of the history was appended again',
      why: 'A fork or an import wrote the same messages again. The model is sent them twice, as if they had been said twice.',
      fix: 'Compact the session in DSH, which leaves one copy out, or fork it before the first repeated message.',
      repairable: false,
      settledLater: true,
      source: 'format.md §4.1',
    },
    'message/history-copied': {
      ...REPEATED,
      ofManyEvents: true,
      title: 'a part of the history was appended again under new ids',
      why: 'A fork or an import wrote the same messages again. The model is sent them twice, as if they had been said twice.',
      fix: 'Compact the session in DSH, which leaves one copy out, or fork it before the first repeated message.',
      repairable: false,
      settledLater: true,
      source: 'format.md §4.1',
    },
    'message/history-carried': {
      ...REPEATED,
      title: 'a part of the history was appended again after it had been replaced',
      severity: 'info',
      why: 'The model is sent these messages once: a compaction took the originals away. Feedback and titles that name one of them may point at either.',
      fix: 'Nothing to do: the model needs the copies.',
      repairable: false,
      source: 'format.md §4.1',
    },
    'message/settlement-invalid': {
      repairs: ['mend-rows'],
      title: 'an answer does not embed its stream as it should',
      fix: MEND,
      why: 'From format 2 on an answer holds the stream that it was made of. DSH checks it and refuses the whole log.',
      refused: true,
      source: 'format.md §4.4, §11 C10',
      args: { type: 'name', fault: SETTLEMENTS, part: 'text?', record: 'number?' },
      message: (a) =>
        `the ${a.type}: ${a.record === undefined ? '' : `stream record ${a.record}: `}${about(a.fault, a.part)}`,
    },
    'message/call-id-mismatch': {
      repairs: ['mend-rows'],
      title: 'a tool result names two different calls',
      fix: MEND,
      refused: true,
      args: { block: 'value', source: 'value' },
      message: (a) => `the result answers ${a.block} in its block and ${a.source} in its source`,
    },
    'message/request-invalid': {
      repairs: ['mend-rows'],
      title: 'a request header cannot be sent to a model',
      fix: MEND,
      why: 'DSH checks that a request names a provider and a model that it could be sent to, and refuses the whole log.',
      refused: true,
      args: { fault: REQUESTS },
      message: (a) => `the request/header ${a.fault}`,
    },
  },
)
