/** A log that is watched while it is written: each time the watcher has nothing more to read, the next step is done. */
import { appendFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { Finding } from '../../src/core/findings/finding.ts'
import { type TranscriptEntry, transcript } from '../../src/core/projections/transcript.ts'
import { LogFollower } from '../../src/load/inputs/follow-log.ts'
import { addInputFindings } from '../../src/load/inputs/judged-log.ts'
import { InputOpener } from '../../src/load/inputs/open-input.ts'
import { onlyInput, resolveInputs } from '../../src/load/inputs/resolve-inputs.ts'
import type { LookAlike } from '../../src/load/reading/look-alikes.ts'
import { type LoadedLog, loadLog, loadSteps } from '../../src/load/sessions/load-log.ts'
import type { PollTiming } from '../../src/storage/growing/poll-timer.ts'
import { DEFAULT_LIMITS, type ReadLimits } from '../../src/storage/record-source.ts'
import { framesOf } from './frames-of-lines.ts'

export interface Answer {
  readonly entries: readonly TranscriptEntry[]
  readonly findings: readonly unknown[]
  /** Rows that had been told when a step was done, by its number. */
  readonly told: readonly { readonly entries: number; readonly findings: number }[]
  readonly said: readonly string[]
}

interface Reading {
  readonly limits?: ReadLimits
  readonly dialect?: LookAlike | undefined
}

type Step = () => unknown

/** What a watcher is told of the log called `named` while `steps` are done. */
export async function watched(
  named: string,
  steps: readonly Step[],
  { limits = DEFAULT_LIMITS, dialect }: Reading = {},
): Promise<Answer> {
  const entries: TranscriptEntry[] = []
  const findings: Finding[] = []
  const told: { entries: number; findings: number }[] = []
  const said: string[] = []
  let next = 0
  let isOver = false
  const timer: PollTiming = {
    get isOver() {
      return isOver
    },
    restart() {},
    async wait() {
      told.push({ entries: entries.length, findings: findings.length })
      const step = steps[next++]
      if (step === undefined) isOver = true
      else await step()
    },
  }
  const opener = new InputOpener({ limits, stdin: Readable.from([]) })
  const follower = new LogFollower(named, {
    limits,
    storeRoot: '/no/such/store',
    lookAlike: dialect,
    opened: new Set(),
    timer,
    opener,
    say: (sentence) => said.push(sentence),
  })
  const log = await follower.open()
  const shown = transcript((entry) => entries.push(entry))
  const steps_ = loadSteps(log.source, { shown }, { limits, found: (finding) => findings.push(finding) })
  let loaded: LoadedLog<unknown> | undefined
  while (loaded === undefined) {
    const step = await steps_.next()
    if (step.done === true) loaded = step.value
  }
  await addInputFindings(loaded.findings, log, loaded.header, {})
  expectAllTold(findings, loaded)
  return { entries, findings: comparable(loaded.findings.findings()), told, said }
}

/** What the commands that read a whole log say about it. */
export async function readWhole(
  named: string,
  { limits = DEFAULT_LIMITS, dialect }: Reading = {},
): Promise<Pick<Answer, 'entries' | 'findings'>> {
  const opener = new InputOpener({ limits, stdin: Readable.from([]), ...(dialect && { lookAlike: dialect }) })
  try {
    const [named_] = await opener.expand(onlyInput(named, await resolveInputs([named], '/no/such/store')))
    if (named_ === undefined) throw new Error(`${named} holds no log`)
    const input = await opener.open(named_)
    const entries: TranscriptEntry[] = []
    const shown = transcript((entry) => entries.push(entry))
    const loaded = await loadLog(input.source, { shown }, { limits })
    await addInputFindings(loaded.findings, input, loaded.header, {})
    await input.close()
    return { entries, findings: comparable(loaded.findings.findings()) }
  } finally {
    await opener.close()
  }
}

/** Steps that write `bytes` in pieces that end at `cuts`, which need not be in order. */
export function choppedWrites(path: string, bytes: Buffer, cuts: readonly number[]): Step[] {
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].toSorted(
    (a, b) => a - b,
  )
  return ends.map((end, index) => () => appendFileSync(path, bytes.subarray(ends[index - 1] ?? 0, end)))
}

function comparable(findings: readonly Finding[]): unknown[] {
  return findings.map(({ causedBy, instead: _, ...finding }) => ({
    ...finding,
    causedBy: causedBy?.code,
  }))
}

function expectAllTold(told: readonly Finding[], { findings }: LoadedLog<unknown>): void {
  const counted = findings.counts().reduce((sum, { count }) => sum + count, 0) + findings.withdrawn
  if (told.length !== counted) throw new Error(`${told.length} of ${counted} findings were told`)
}

/** The header in a frame, and the rest in frames of `size` bytes that care for no line. */
export function framedAnyhow(bytes: Buffer, size: number): Promise<Buffer> {
  const headerEnd = bytes.indexOf(10) + 1
  const pieces = [bytes.subarray(0, headerEnd)]
  for (let at = headerEnd; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
  return framesOf(pieces)
}
