/** A thread that runs the command of its process on the logs that it is given, one at a time. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Outcome } from '../commands/definition/command.ts'
import { outcomesOf } from '../commands/many-logs/one-input.ts'
import { InputOpener } from '../load/inputs/open-input.ts'
import type { LogInput } from '../load/inputs/resolve-inputs.ts'
import { listed } from '../report/main-list.ts'
import { containerOf } from '../storage/detect.ts'
import { processHost } from './host.ts'
import type { ThreadData, ThreadOutcomes } from './log-threads.ts'
import { contextOf, understand } from './request.ts'

const host = processHost()
const request = await understand((workerData as ThreadData).argv, host)
if (typeof request === 'number' || request.perLog === undefined) throw new Error('a command for one log')
const { perLog } = request
const opened = new Set<string>()
const context = await contextOf(request, host, opened)

let last = Promise.resolve()
parentPort?.on('message', (input: LogInput) => {
  last = last.then(async () => parentPort?.postMessage(await outcomesFor(input)))
})

/** What can be sent to another thread. */
function plain(outcome: Outcome): Outcome {
  const reports = outcome.reportSet.reports.map((report) => ({ ...report, data: listed(report.data) }))
  return { ...outcome, reportSet: { ...outcome.reportSet, reports } }
}

/** Databases and compressed files are read through a private copy, which a thread could not remove when it is killed. */
async function outcomesFor(input: LogInput): Promise<ThreadOutcomes> {
  const container = await containerOf(input.path).catch(() => undefined)
  if (container !== 'jsonl' && container !== 'zstd') return { opened: [] }
  opened.clear()
  const opener = new InputOpener(context)
  try {
    const outcomes = await outcomesOf(input, false, opener, context, perLog)
    return { outcomes: { ...outcomes, outcomes: outcomes.outcomes.map(plain) }, opened: [...opened] }
  } finally {
    await opener.close()
  }
}
