/** What a repair would do, or did: every step with its reason, before anything is written. */

import type { SessionEvent } from '../../core/event/session-event.ts'
import type { JsonObject } from '../../core/json/json-value.ts'
import type { RepairStep } from '../../core/repair/repair-step.ts'
import { plural } from '../number-text.ts'
import type { Cell, Section } from '../section.ts'
import type { StepWords } from './repair-words.ts'
import { dataOf, type View } from './view.ts'

export interface Digests {
  readonly before: string
  readonly after: string
}

/** A step with its words. */
export type PlannedStep = RepairStep & StepWords

export interface RepairData {
  readonly steps: readonly PlannedStep[]
  readonly closers: readonly SessionEvent[]
  /** Results that are put between the events of the log, under the seqs they get. */
  readonly inserted?: readonly SessionEvent[]
  /** Messages behind the last event that stand for broken tool exchanges on the surface. */
  readonly notes?: readonly JsonObject[]
  readonly digests: { readonly surface: Digests; readonly transcript: Digests }
  /** Errors that no step mends; the repaired log has them too. */
  readonly remaining?: readonly { readonly code: string; readonly count: number }[]
  /** Why nothing can be planned, when that is so. */
  readonly refused?: readonly string[]
  /** The repaired copy, when one was written and verified. */
  readonly output?: string
  /** What the log was, when it was replaced. */
  readonly backup?: string
  /** Where the bytes went that the repaired log does not hold. */
  readonly quarantine?: string
  /** Branches that did not live on, as logs of their own. */
  readonly branches?: readonly string[]
}

export const repairView: View = {
  *sections(report) {
    const data = dataOf<RepairData>(report)
    const path = report.subject?.path
    if (data.refused !== undefined) {
      yield { kind: 'heading', text: `${path}: cannot be repaired safely`, tone: 'error' }
      yield { kind: 'list', items: data.refused.map((reason) => `  ${reason}`) }
      return
    }
    if (data.steps.length === 0) {
      const clean = data.remaining === undefined
      yield {
        kind: 'heading',
        text: clean ? `${path}: nothing to repair` : `${path}: nothing that a repair can mend`,
        tone: clean ? 'ok' : 'error',
      }
    } else {
      yield {
        kind: 'heading',
        text: `${path}: ${plural(data.steps.length, 'step')} ${data.output === undefined ? 'planned' : 'done'}`,
      }
      yield {
        kind: 'list',
        items: data.steps.map((step, index) => `  ${index + 1}. ${step.what} (${step.reason})`),
      }
      yield* eventSections([...(data.inserted ?? []), ...data.closers])
      yield {
        kind: 'fields',
        rows: [digestRow('the model', data.digests.surface), digestRow('the human', data.digests.transcript)],
      }
    }
    if (data.remaining !== undefined && data.remaining.length > 0) {
      const codes = data.remaining.map(({ code, count }) => (count > 1 ? `${code} (${count})` : code))
      const text = `not mended: ${codes.join(', ')}; see resurface check`
      yield { kind: 'list', items: [{ text, tone: 'error' }] }
    }
    const written: (readonly [string, Cell])[] = []
    if (data.output !== undefined) written.push(['written and verified', data.output])
    if (data.backup !== undefined) written.push(['what it was', data.backup])
    if (data.quarantine !== undefined) written.push(['quarantine', data.quarantine])
    for (const branch of data.branches ?? []) written.push(['the other branch', branch])
    if (written.length > 0) yield { kind: 'fields', rows: written }
    else if (data.steps.length > 0)
      yield {
        kind: 'list',
        items: [
          {
            text: 'Nothing was written. Add --write for a copy beside the log, -o FILE for another place, --in-place to replace it.',
            tone: 'dim',
          },
        ],
      }
  },
}

function* eventSections(events: readonly SessionEvent[]): Iterable<Section> {
  if (events.length === 0) return
  const columns = [
    { label: 'seq', width: 7, align: 'right' as const },
    { label: 'added event', width: 12 },
    { label: 'says', width: 0 },
  ]
  yield { kind: 'rows', columns, rows: events.map((event) => [event.seq, event.type, says(event)]) }
}

function says(event: SessionEvent): string {
  const data = event.data as {
    error?: { code?: string }
    message?: { source?: { callId?: string } }
    turn?: number
    step?: number
  }
  if (event.type === 'step/end') return `step ${data.step} of turn ${data.turn} ends`
  if (event.type === 'compaction/end') return 'the open compaction ends without a summary'
  if (event.type === 'turn/end') return `turn ${data.turn} was interrupted`
  const outcome = data.error?.code === 'TOOL_NOT_STARTED' ? 'was never started' : 'has an unknown outcome'
  return `tool call ${data.message?.source?.callId} ${outcome}`
}

function digestRow(who: string, { before, after }: Digests): readonly [string, Cell] {
  return [
    `what ${who} sees`,
    before === after ? 'stays the same' : `changes (${before.slice(0, 12)} → ${after.slice(0, 12)})`,
  ]
}
