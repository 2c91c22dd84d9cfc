/** What a repair would do, or did: every step with its reason, before anything is written. */

import { isNotStarted } from '../../core/event-types/closers.ts'
import { isJsonObject } from '../../core/json/json-value.ts'
import { plural } from '../number-text.ts'
import type { ReportData } from '../report.ts'
import type { Cell, Section } from '../section.ts'
import type { View } from './view.ts'

type RepairData = ReportData<'repair'>
type AddedEvent = RepairData['closers'][number]

export const repairView: View<'repair'> = {
  *sections(report) {
    const data = report.data
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

function* eventSections(events: readonly AddedEvent[]): Iterable<Section> {
  if (events.length === 0) return
  const columns = [
    { label: 'seq', width: 7, align: 'right' as const },
    { label: 'added event', width: 12 },
    { label: 'says', width: 0 },
  ]
  yield { kind: 'rows', columns, rows: events.map((event) => [event.seq, event.type, says(event)]) }
}

function says({ type, data }: AddedEvent): string {
  const { turn, step, error, message } = isJsonObject(data) ? data : {}
  if (type === 'step/end') return `${named('step', step)} of ${named('turn', turn)} ends`
  if (type === 'compaction/end') return 'the open compaction ends without a summary'
  if (type === 'turn/end') return `${named('turn', turn)} was interrupted`
  const isStarted = !isNotStarted(error)
  const source = isJsonObject(message) ? message.source : undefined
  const callId = isJsonObject(source) ? source.callId : undefined
  return `${named('tool call', callId)} ${isStarted ? 'has an unknown outcome' : 'was never started'}`
}

/** A log may hold anything where a number or a name belongs. */
function named(what: string, name: unknown): string {
  return typeof name === 'number' || typeof name === 'string' ? `${what} ${name}` : `the ${what}`
}

function digestRow(
  who: string,
  { before, after }: RepairData['digests']['surface'],
): readonly [string, Cell] {
  return [
    `what ${who} sees`,
    before === after ? 'stays the same' : `changes (${before.slice(0, 12)} → ${after.slice(0, 12)})`,
  ]
}
