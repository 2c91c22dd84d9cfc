/**
 * `repair`: the plan of what would change, and with `-o FILE` a repaired copy; the original is never touched. The
 * copy is read again by the code of `check`, and must show what the plan said, before it takes its name.
 */
import { createHash } from 'node:crypto'
import type { SessionEvent } from '../core/event/session-event.ts'
import { stringifyJson } from '../core/event/stringify-json.ts'
import { ruleOf } from '../core/findings/rules.ts'
import { judge } from '../core/findings/verdict.ts'
import { surfaceMessages } from '../core/projections/surface-view.ts'
import { type TranscriptEntry, transcript } from '../core/projections/transcript.ts'
import { closersAt } from '../core/repair/closers.ts'
import { planRepair, type RepairPlan } from '../core/repair/plan-repair.ts'
import type { Reducer } from '../core/replay/reducer.ts'
import { loadLog } from '../load/load-log.ts'
import { InputOpener } from '../load/open-input.ts'
import type { Digests, RepairData } from '../report/views/repair-view.ts'
import { mustBeVacant } from '../storage/output-guard.ts'
import type { RecordSource } from '../storage/record-source.ts'
import { rewriteTextLog } from '../storage/rewrite/text-log.ts'
import { ToolError } from '../storage/tool-error.ts'
import { copyRange, writeFileWhole } from '../storage/write-file.ts'
import { type Command, type CommandContext, LOG_ARGUMENT, type Outcome } from './command.ts'
import { type JudgedLog, logReport, withLog } from './log-report.ts'
import { writeCopy } from './write-copy.ts'

export const command: Command = {
  arguments: [['<log>', LOG_ARGUMENT]],
  examples: ['resurface repair session.jsonl', 'resurface repair session.jsonl -o repaired.jsonl'],
  writesOutput: true,
  run: ([log], _options, context) => repairLog(log as string, context),
}

/** Surface and transcript as hashes of their canonical text. */
interface LogDigests {
  readonly surface: string
  readonly transcript: string
}

function repairLog(path: string, context: CommandContext): Promise<Outcome> {
  return withLog(path, context, { digests: logDigests() }, async (log) => {
    const plan = planOf(log)
    const before = log.results.digests
    const after =
      plan.closers.length === 0 ? before : await digestsWith(plan.closers, log.input.source, context)
    const digests = { surface: pair('surface', before, after), transcript: pair('transcript', before, after) }
    const { steps, closers, refused } = plan
    const remaining = log.findings
      .counts()
      .filter(({ code, severity }) => severity === 'error' && !ruleOf(code).repairable)
    const planned: RepairData = {
      steps,
      closers,
      digests,
      ...(refused.length > 0 && { refused }),
      ...(remaining.length > 0 && { remaining: remaining.map(({ code, count }) => ({ code, count })) }),
    }
    if (refused.length > 0) {
      const nothingThere = log.judgement.exitCode === 3
      return { answer: logReport('repair', log, planned), exitCode: nothingThere ? 3 : 5 }
    }
    const { output } = context
    if (output === undefined) {
      return {
        answer: logReport('repair', log, planned),
        exitCode: steps.length + remaining.length > 0 ? 1 : 0,
      }
    }
    const quarantine = await writeRepaired(output, plan, log, after, context)
    const done: RepairData = { ...planned, output, ...(quarantine !== undefined && { quarantine }) }
    return { answer: logReport('repair', log, done), exitCode: remaining.length > 0 ? 1 : 0 }
  })
}

function planOf(log: JudgedLog<unknown>): RepairPlan {
  return planRepair({
    counts: log.findings.counts(),
    findings: log.findings.findings(),
    closers: closersAt(log.end.cursor, log.end.last?.event, log.end.dialect),
    fileBytes: log.fileBytes,
    ...log.layout,
  })
}

/** Writes the repaired copy and the quarantine; returns the name of the quarantine when there is one. */
async function writeRepaired(
  output: string,
  plan: RepairPlan,
  log: JudgedLog<unknown>,
  expected: LogDigests,
  context: CommandContext,
): Promise<string | undefined> {
  const { cut, byteOrderMark } = log.layout
  const { file, container, session } = log.input
  const { closers } = plan
  const quarantine = `${output}.quarantine`
  const verify = (written: string): Promise<void> => mustBeRepaired(written, session, expected, context)
  return writeCopy(output, context, async () => {
    if (cut !== undefined || byteOrderMark) await mustBeVacant(quarantine, context.opened)
    if (session !== undefined) {
      const { rewriteDatabase } = await import('../storage/rewrite/database.ts')
      const deleted = await rewriteDatabase(
        { path: file, session, deleteFrom: cut?.row, closers },
        output,
        verify,
      )
      if (deleted.length === 0) return undefined
      await writeFileWhole(quarantine, (target) => target.writeFile(`${deleted.join('\n')}\n`))
      return quarantine
    }
    const cutAt = cut?.byteOffset ?? log.fileBytes
    const recovered = container === 'zstd' && cut !== undefined ? await recoveredLines(log, cutAt) : []
    const kind = container === 'zstd' ? 'zstd' : 'jsonl'
    await rewriteTextLog(
      { file, cutAt, dropByteOrderMark: byteOrderMark, recovered, closers },
      kind,
      output,
      verify,
    )
    const removed = plan.steps.flatMap((step) => (step.bytes === undefined ? [] : [step.bytes]))
    if (removed.length === 0) return undefined
    await writeFileWhole(quarantine, async (target) => {
      for (const { from, to } of removed) await copyRange(file, from, to, target)
    })
    return quarantine
  })
}

/** Whole records of the log that lie in the frame at the cut: it is not copied, so they are written anew. */
async function recoveredLines(log: JudgedLog<unknown>, cutAt: number): Promise<readonly Buffer[]> {
  const lastSeq = log.end.last?.event.seq ?? -1
  const lastLine = log.end.last?.origin.line ?? 1
  const lines: Buffer[] = []
  for await (const batch of log.input.source.items()) {
    for (const item of batch) {
      if (item.kind !== 'record' || (item.origin.byteOffset ?? 0) < cutAt) continue
      if (item.line > lastLine || lastSeq < 0 || item.content.kind !== 'bytes') continue
      lines.push(Buffer.from(item.content.bytes))
    }
  }
  return lines
}

/** Reads the copy again: it must open, need no further repair, and show what the plan announced. */
async function mustBeRepaired(
  file: string,
  session: string | undefined,
  expected: LogDigests,
  context: CommandContext,
): Promise<void> {
  const { limits, stdin, progress } = context
  const opener = new InputOpener({ limits, stdin, progress })
  try {
    const input = await opener.open({
      name: file,
      path: file,
      remarks: [],
      ...(session !== undefined && { session }),
    })
    const written = await loadLog(input.source, { digests: logDigests() }, { limits })
    const { opens } = judge(written.findings.counts())
    const { cursor, last, dialect } = written.end
    const further = closersAt(cursor, last?.event, dialect)
    const { surface, transcript: shown } = written.results.digests
    const asPlanned = surface === expected.surface && shown === expected.transcript
    if (opens && further.length === 0 && written.layout.cut === undefined && asPlanned) return
  } finally {
    await opener.close()
  }
  throw new ToolError(
    'refused',
    'the repaired copy did not pass its check and was removed',
    'The original log is as it was.',
  )
}

async function digestsWith(
  closers: readonly SessionEvent[],
  source: RecordSource,
  context: CommandContext,
): Promise<LogDigests> {
  const { limits } = context
  const continued = await loadLog(source, { digests: logDigests() }, { limits, continued: closers })
  return continued.results.digests
}

function logDigests(): Reducer<LogDigests> {
  const shown = createHash('sha256')
  const messages = surfaceMessages()
  const entries = transcript((entry: TranscriptEntry) => shown.update(`${stringifyJson(entry)}\n`))
  return {
    on(step) {
      messages.on(step)
      entries.on(step)
    },
    finish(end) {
      entries.finish(end)
      const seen = createHash('sha256')
      for (const message of messages.finish(end)) seen.update(`${stringifyJson(message)}\n`)
      return { surface: seen.digest('hex'), transcript: shown.digest('hex') }
    },
  }
}

function pair(which: keyof LogDigests, before: LogDigests, after: LogDigests): Digests {
  return { before: before[which], after: after[which] }
}
