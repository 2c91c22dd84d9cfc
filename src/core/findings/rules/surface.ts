/** The rules of the surface. */
import { family } from '../rule.ts'
import { MEND } from './shared-words.ts'

const SURFACE_SOURCE = 'format.md §5.1'
const SURFACE_WHY =
  'DSH replays what every event does to the messages that the model sees, and refuses the whole log at this one. resurface passes over it and reads on.'

export const SURFACE = family(
  {
    severity: 'error',
    layer: 'meaning',
    why: SURFACE_WHY,
    repairs: ['mend-surface', 'mend-rows'],
    fix: MEND,
    repairable: false,
    refused: true,
    source: 'format.md §5.4',
  },
  {
    'surface/not-contiguous': {
      title: 'an event does not continue the log',
      fix: 'Give the events in the order of their seqs.',
      noExample:
        'Only a library user meets it, who gives SurfaceManager an event out of turn. In a file it is order/seq-gap or order/seq-repeated.',
      source: `${SURFACE_SOURCE} rule 1`,
      args: { got: 'seq', expected: 'seq' },
      message: (a) => `seq ${a.got} does not continue the log; expected ${a.expected}`,
    },
    'surface/op-on-log-only': {
      title: 'an event that makes no message carries surfaceOp',
      source: `${SURFACE_SOURCE} rule 2`,
      args: { type: 'name' },
      message: (a) => `${a.type} makes no model message and cannot carry surfaceOp`,
    },
    'surface/sources-on-log-only': {
      title: 'an event that makes no message carries sourceEventSeqs',
      source: `${SURFACE_SOURCE} rule 2`,
      args: { type: 'name' },
      message: (a) => `${a.type} makes no model message and cannot carry sourceEventSeqs`,
    },
    'surface/op-missing': {
      title: 'a message event has no surfaceOp',
      source: `${SURFACE_SOURCE} rule 3`,
      args: { type: 'name' },
      message: (a) => `${a.type} has no surfaceOp, so it is not on the surface`,
    },
    'surface/unmarked-log': {
      title: 'no event of the log carries a surface marker',
      severity: 'warning',
      layer: 'compatibility',
      why: 'The log is older than surface markers. Released builds refuse it; resurface reads every message as appended.',
      fix: 'A repair marks every message as appended, which is how such a log is read. Run "resurface repair LOG" to see the plan.',
      outcome: 'unsupported',
      repairs: ['mend-rows'],
      repairable: true,
      readInFull: true,
      settledLater: true,
      source: 'session-surface specification; format.md §5.8',
      args: {},
      message: () => 'no event carries surfaceOp: the messages are read as appended in log order',
    },
    'surface/op-invalid': {
      title: 'surfaceOp is neither an append nor a replacement',
      source: `${SURFACE_SOURCE} rule 4`,
      args: { type: 'name' },
      message: (a) => `${a.type} has a surfaceOp that is neither "append" nor an object`,
    },
    'surface/replace-invalid': {
      title: 'a replacement is malformed',
      source: `${SURFACE_SOURCE} rule 5`,
      args: { type: 'name' },
      message: (a) => `${a.type} has a surfaceOp that is not exactly {op: "replace", start, end}`,
    },
    'surface/start-not-found': {
      title: 'a replacement starts at an event that is not on the surface',
      guessAfterLoss: 'ever',
      source: `${SURFACE_SOURCE} rule 6`,
      args: { start: 'seq' },
      message: (a) => `the replacement starts at seq ${a.start}, which is not on the surface`,
    },
    'surface/end-not-found': {
      title: 'a replacement ends at an event that is not on the surface',
      guessAfterLoss: 'ever',
      source: `${SURFACE_SOURCE} rule 7`,
      args: { end: 'seq' },
      message: (a) => `the replacement ends at seq ${a.end}, which is not on the surface`,
    },
    'surface/range-reversed': {
      title: 'a replacement ends before it starts',
      source: `${SURFACE_SOURCE} rule 8`,
      args: { start: 'seq', startIndex: 'number', end: 'seq', endIndex: 'number' },
      message: (a) =>
        `the replacement starts at seq ${a.start} (position ${a.startIndex}) and ends before it at seq ${a.end} (position ${a.endIndex})`,
    },
    'surface/sources-not-list': {
      title: 'sourceEventSeqs is not a list',
      source: `${SURFACE_SOURCE} rule 9`,
      args: {},
      message: () => 'sourceEventSeqs is not a list',
    },
    'surface/sources-empty': {
      title: 'sourceEventSeqs is empty',
      source: `${SURFACE_SOURCE} rule 10`,
      args: { type: 'name' },
      message: (a) => `sourceEventSeqs of a ${a.type} must not be empty`,
    },
    'surface/sources-invalid': {
      title: 'sourceEventSeqs holds something that is no seq',
      source: `${SURFACE_SOURCE} rule 11`,
      args: { source: 'value' },
      message: (a) => `sourceEventSeqs holds ${a.source}, which is no seq`,
    },
    'surface/sources-repeated': {
      title: 'sourceEventSeqs names an event twice',
      source: `${SURFACE_SOURCE} rule 12`,
      args: { source: 'seq' },
      message: (a) => `sourceEventSeqs names seq ${a.source} twice`,
    },
    'surface/sources-not-earlier': {
      title: 'sourceEventSeqs names an event that is not earlier',
      source: `${SURFACE_SOURCE} rule 13`,
      args: { source: 'seq' },
      message: (a) => `sourceEventSeqs names seq ${a.source}, which is not earlier`,
    },
    'surface/sources-incomplete': {
      title: 'a replacement does not cite all it replaces',
      source: `${SURFACE_SOURCE} rule 14`,
      args: { missing: 'seqs' },
      message: (a) => `sourceEventSeqs must name every replaced event; missing ${a.missing}`,
    },
    'surface/sources-embedded': {
      title: 'an assistant message cites sources although it embeds its stream',
      source: 'format.md §5.5, §11 C4',
      args: {},
      message: () =>
        'from format 2 on an assistant/message embeds its stream and cannot carry sourceEventSeqs',
    },
    'surface/head-protected': {
      title: 'a replacement would take the system prompt away',
      source: 'format.md §5.5',
      args: { head: 'seq' },
      message: (a) =>
        `seq ${a.head} holds the system prompt; only a system/message over exactly it may replace it`,
    },
    'surface/rewrite-not-single': {
      title: 'a tool result replaces more than one event',
      args: { nodes: 'count' },
      message: (a) => `a tool/result may rewrite exactly one event, not ${a.nodes}`,
    },
    'surface/rewrite-not-result': {
      title: 'a tool result replaces something that is no tool result',
      guessAfterLoss: 'ever',
      args: { target: 'seq' },
      message: (a) => `a tool/result may rewrite only a tool/result; seq ${a.target} is none`,
    },
    'surface/rewrite-changes-more': {
      title: 'a rewritten tool result changes more than its content',
      args: { target: 'seq' },
      message: (a) => `the rewrite of seq ${a.target} changes more than the content of the result`,
    },
    'surface/offload-invalid': {
      title: 'an image offload names something that is not there',
      repairs: ['mend-relations', 'drop-rows'],
      unrelated: true,
      source: 'format.md §5.5, §12.I',
      args: {
        problem: [
          'no-targets',
          'incomplete',
          'named-twice',
          'not-on-surface',
          'no-images',
          'not-rising',
          'no-such-image',
          'offloaded',
        ],
        target: 'seq?',
        image: 'number?',
      },
      message: (a) => `the image/offload ${offloadText(a.problem, a.target, a.image)}`,
    },
  },
)

function offloadText(problem: string, target: number | undefined, image: number | undefined): string {
  const seq = target === undefined ? 'an event' : `seq ${target}`
  const which = image === undefined ? 'an image' : `image ${image}`
  switch (problem) {
    case 'no-targets':
      return 'must hold a list of targets and nothing else'
    case 'incomplete':
      return 'has a target without a seq or without image indexes'
    case 'named-twice':
      return `names ${seq} twice`
    case 'not-on-surface':
      return `names ${seq}, which is not on the surface`
    case 'no-images':
      return `names ${seq}, which is neither a user message nor a tool result`
    case 'not-rising':
      return `names images of ${seq} in an order that does not rise`
    case 'no-such-image':
      return `names ${which} of ${seq}, which does not exist`
    default:
      return `names ${which} of ${seq}, which is offloaded already`
  }
}
