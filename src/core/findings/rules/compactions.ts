/** Compactions. */
import { family } from '../rule.ts'
import { WRITER_BUG } from './shared-words.ts'

export const COMPACTION = family(
  {
    severity: 'warning',
    layer: 'meaning',
    fix: 'Nothing needs to be done for this format.',
    repairable: false,
    guessAfterLoss: 'ever',
    source: 'format.md §7.2',
  },
  {
    'compaction/bracket': {
      title: 'a compaction bracket does not fit',
      why: 'DSH opens the log; its optional invariant checks and the readers of format 4 refuse it.',
      refusedByMigration: true,
      args: { type: 'name', problem: 'text' },
      message: (a) => `${a.type}: ${a.problem}`,
    },
    'compaction/unfinished': {
      title: 'a compaction was started and never ended',
      why: 'The process ended before it was done: nothing was hidden, and nothing is lost. DSH does not close it.',
      fix: 'Nothing needs to be done. The next resume marks it as abandoned.',
      settledLater: true,
      source: 'format.md §6.4, §7.2',
      args: {},
      message: () => 'this compaction was started and never ended',
    },
    'compaction/checkpoint-missing': {
      title: 'a compaction ended well and replaced nothing',
      why: 'It has a summary, and no checkpoint put it on the surface: the model is sent the whole history as before.',
      fix: 'Compact again.',
      source: 'format.md §5.3',
      args: { summaryAt: 'seq' },
      message: (a) => `no checkpoint put the summary of seq ${a.summaryAt} on the surface`,
    },
    'compaction/range-differs': {
      title: 'a compaction replaces or cites other events than it announced',
      why: 'What was summed up is not what was taken away: the model may lack something, or see it twice.',
      fix: WRITER_BUG,
      source: 'format.md §5.3, §7.2, §12.E',
      args: { what: ['cites', 'replaces'], strange: 'seq?', announcedAt: 'seq' },
      message: (a) =>
        a.strange !== undefined
          ? `it cites seq ${a.strange}, which seq ${a.announcedAt} does not announce`
          : `it does not replace the events that seq ${a.announcedAt} announces`,
    },
    'compaction/summary-apart': {
      title: 'a summary does not stand right before its checkpoint',
      why: "The web view cannot tie the two together, and DSH's invariant checks refuse the log.",
      fix: 'Nothing needs to be done: the surface is not affected.',
      source: 'format.md §5.3, §7.2',
      args: { summaryAt: 'seq' },
      message: (a) => `the summary at seq ${a.summaryAt} does not stand right before this checkpoint`,
    },
    'compaction/count-invalid': {
      title: 'a compaction counts tokens that are no count',
      why: 'Token meters show nonsense; the surface is not affected.',
      fix: WRITER_BUG,
      args: { count: 'value' },
      message: (a) => `shadowedTokenCount is ${a.count}`,
    },
    'compaction/prune-alone': {
      title: 'a prune is not followed by its rewrite',
      severity: 'info',
      why: 'The rewritten tool result must stand right behind it; the surface was not changed as announced.',
      source: 'format.md §4.3',
      args: {},
      message: () => 'no rewritten tool/result follows this prune',
    },
  },
)
