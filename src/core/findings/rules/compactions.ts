/** Compactions: advice where readers do not look, and refusals in format 4, where they do. */
import { family, wording } from '../rule.ts'
import { ENFORCED, KEEP, NOTHING_BEFORE_4 } from './shared-words.ts'

const ADVISED = {
  severity: 'warning',
  layer: 'meaning',
  repairable: false,
  // A summary or a checkpoint may be what was too long to read.
  guessAfterLoss: 'ever',
  source: 'format.md §7.2',
} as const

const ID_MISSING = wording({
  title: 'a compaction has no id',
  args: {},
  message: () => 'this compaction/start has no compactionId',
})

const NESTED = wording({
  title: 'a compaction starts while another is open',
  args: { openAt: 'seq' },
  message: (a) => `the compaction that started at seq ${a.openAt} is still open`,
})

const TURN = wording({
  title: 'a compaction names a turn other than the open one',
  args: { type: 'name', turn: 'value', expected: 'value' },
  message: (a) => `${a.type} belongs to turn ${a.turn}, not ${a.expected}`,
})

const NOT_STARTED = wording({
  title: 'part of a compaction has no start',
  args: { type: 'name' },
  message: (a) => `no open compaction/start has the id and the command of this ${a.type}`,
})

const SUMMARY_REPEATED = wording({
  title: 'a compaction has more than one summary',
  args: {},
  message: () => 'the compaction has a summary already',
})

const SUMMARY_MISSING = wording({
  title: 'a compaction ended well without exactly one summary',
  args: { summaries: 'count' },
  message: (a) => `a successful compaction has one summary; this one has ${a.summaries}`,
})

const NODES_MISSING = wording({
  title: 'a compaction does not say which messages it replaces',
  args: { type: 'name' },
  message: (a) => `${a.type} lacks shadowedRange or shadowedSeqs`,
})

const NODES_DIFFER = wording({
  title: 'a compaction names other messages than the surface holds there',
  args: { type: 'name' },
  message: (a) => `shadowedSeqs of the ${a.type} are not what the surface holds from start to end`,
})

const SYSTEM_PROMPT = wording({
  title: 'a compaction would replace the system prompt',
  args: { head: 'seq' },
  message: (a) => `it would replace the system prompt at seq ${a.head}`,
})

const CROSSED = wording({
  title: 'a turn starts or ends inside a compaction',
  args: { type: 'name', openAt: 'seq' },
  message: (a) => `${a.type} comes before the compaction of seq ${a.openAt} has ended`,
})

export const COMPACTION = family(
  {
    ...ADVISED,
    why: 'By itself it does not stop DSH from opening the log; the optional invariant checks of DSH and the readers of format 4 refuse it.',
    fix: NOTHING_BEFORE_4,
    refusedByMigration: true,
  },
  {
    'compaction/id-missing': ID_MISSING,
    'compaction/nested': NESTED,
    'compaction/turn': TURN,
    'compaction/not-started': NOT_STARTED,
    'compaction/summary-repeated': SUMMARY_REPEATED,
    'compaction/summary-missing': SUMMARY_MISSING,
    'compaction/nodes-missing': NODES_MISSING,
    'compaction/nodes-differ': NODES_DIFFER,
    'compaction/crossed': CROSSED,
    'compaction/data-not-object': {
      title: 'a compaction event has no object as data',
      args: { type: 'name' },
      message: (a) => `the data of this ${a.type} is not an object`,
    },
  },
)

export const COMPACTION_RELATION = family(
  {
    ...ENFORCED,
    why: 'DSH refuses the whole log: in format 4 a compaction must be one closed bracket around what it replaces.',
  },
  {
    'relation/compaction-id-missing': ID_MISSING,
    'relation/compaction-nested': NESTED,
    'relation/compaction-turn': { ...TURN, repairs: ['mend-relations'] },
    'relation/compaction-not-started': { ...NOT_STARTED, repairs: ['mend-relations'] },
    'relation/compaction-summary-repeated': SUMMARY_REPEATED,
    'relation/compaction-summary-missing': { ...SUMMARY_MISSING, repairs: ['mend-relations'] },
    'relation/compaction-nodes-missing': { ...NODES_MISSING, repairs: ['mend-relations'] },
    'relation/compaction-nodes-differ': { ...NODES_DIFFER, repairs: ['mend-relations'] },
    'relation/compaction-system-prompt': SYSTEM_PROMPT,
    'relation/compaction-crossed': { ...CROSSED, settledLater: true },
  },
)

export const COMPACTION_EFFECT = family(ADVISED, {
  'compaction/unfinished': {
    title: 'a compaction was started and never ended',
    why: 'The process ended before the compaction did, or it is still running. Nothing was replaced, and nothing is lost.',
    fix: 'Nothing to do: resume the session, and DSH marks the compaction as abandoned.',
    settledLater: true,
    source: 'format.md §6.4, §7.2',
    args: {},
    message: () => 'this compaction was started and never ended',
  },
  'compaction/checkpoint-missing': {
    title: 'a compaction ended well and replaced nothing',
    why: 'It has a summary, but no checkpoint put the summary on the surface: the model is sent the whole history as before.',
    fix: 'Compact the session in DSH again.',
    source: 'format.md §5.3',
    args: { summaryAt: 'seq' },
    message: (a) => `no checkpoint put the summary of seq ${a.summaryAt} on the surface`,
  },
  'compaction/replaces-other': {
    title: 'a compaction replaces other messages than it announced',
    why: 'What was summarized is not what was replaced: the model may lack something, or see it twice.',
    fix: 'To see what the model has now, run "resurface surface LOG". Compacting the session again replaces both.',
    source: 'format.md §5.3, §7.2, §12.E',
    args: { announcedAt: 'seq' },
    message: (a) => `it does not replace the events that seq ${a.announcedAt} announces`,
  },
  'compaction/cites-other': {
    title: 'a compaction cites events that it did not announce',
    why: 'The model sees what was announced; only tools that trace the summary to its sources go wrong.',
    fix: KEEP,
    source: 'format.md §5.3, §7.2, §12.E',
    args: { strange: 'seq', announcedAt: 'seq' },
    message: (a) => `it cites seq ${a.strange}, which seq ${a.announcedAt} does not announce`,
  },
  'compaction/summary-apart': {
    title: 'a summary is not right before its checkpoint',
    why: "DSH's web view cannot connect the two, and its optional invariant checks refuse the log.",
    fix: 'Nothing to do: what the model sees is not affected.',
    source: 'format.md §5.3, §7.2',
    args: { summaryAt: 'seq' },
    message: (a) => `the summary at seq ${a.summaryAt} is not right before this checkpoint`,
  },
  'compaction/count-invalid': {
    title: 'the token count of a compaction is not a count',
    why: 'Token meters show a wrong number; what the model sees is not affected.',
    fix: KEEP,
    args: { count: 'value' },
    message: (a) => `shadowedTokenCount is ${a.count}`,
  },
  'compaction/prune-alone': {
    title: 'a prune is not followed by its rewrite',
    severity: 'info',
    why: 'A rewritten tool result must come right after it. None does, so what the model sees was not changed as announced.',
    fix: 'Nothing to do: the model still sees the whole result.',
    source: 'format.md §4.3',
    args: {},
    message: () => 'no rewritten tool/result follows this prune',
  },
})
