/**
 * A message id names one message. Where one comes back, something was written twice; where several come back in a row
 * and in their old order, it is the history that was appended again, and that is one fault with a range. Under new ids
 * the same history can only be told by what it says. Whether the model is sent it twice, the surface at the end decides.
 */
import { SURFACE_TYPES } from '../event-types/vocabulary.ts'
import type { Finding, FindingSink } from '../findings/finding.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'
import { identified, MessageRepetitions, type RepeatedMessages } from '../replay/repeated-messages.ts'
import type { SessionSurface } from '../surface/session-surface.ts'
import { isAppendSurfaceEvent } from '../surface/surface-predicates.ts'

/** Repetitions that are judged again at the end. */
const MOST_REMEMBERED = 1000
/** So many messages in a row, with so many of the user's among them, are no coincidence. */
const FEWEST_COPIED = 4
const FEWEST_BY_USER = 2

export function messageIdChecks(report: FindingSink): Reducer<void> {
  const byId = MessageRepetitions.byId()
  const byContent = MessageRepetitions.byContent()
  const told: { readonly repeated: RepeatedMessages; readonly finding: Finding }[] = []
  const copied: RepeatedMessages[] = []

  function notice(repeated: RepeatedMessages | undefined): void {
    if (repeated === undefined) return
    const { id, origin, seqs, originals } = repeated
    const [seq, firstAt] = [seqs[0] as number, originals[0] as number]
    if (seqs.length === 1) {
      report({ code: 'message/id-repeated', origin, seq, args: { id, firstAt }, related: [firstAt] })
      return
    }
    const finding: Finding = { code: 'message/history-repeated', ...placed(repeated) }
    report(finding)
    if (told.length < MOST_REMEMBERED) told.push({ repeated, finding })
  }

  function noticeCopy(repeated: RepeatedMessages | undefined): void {
    if (repeated === undefined || repeated.seqs.length < 2 || copied.length === MOST_REMEMBERED) return
    const { seqs, sameTimes, byUser } = repeated
    if (sameTimes || (seqs.length >= FEWEST_COPIED && byUser >= FEWEST_BY_USER)) copied.push(repeated)
  }

  return {
    types: SURFACE_TYPES,
    onDeltas: ignoreDeltas,
    on({ event, origin }) {
      if (!isAppendSurfaceEvent(event)) return
      const message = identified(event)
      if (message === undefined) return
      const known = byId.find(message)
      noticeCopy(known === -1 ? byContent.take(event, origin, message) : byContent.end())
      notice(byId.take(event, origin, message, known))
    },
    finish({ surface }) {
      notice(byId.end())
      noticeCopy(byContent.end())
      const visible = visibleCopies(
        told.map(({ repeated }) => repeated),
        surface,
      )
      for (const { repeated, finding: instead } of told) {
        const { seqs, originals } = repeated
        const isTwice = seqs.some(
          (seq, i) => surface.has(seq) && (visible.get(originals[i] as number) ?? 0) > 1,
        )
        if (!isTwice) report({ code: 'message/history-carried', ...placed(repeated), instead })
      }
      for (const repeated of copied) {
        const { seqs, originals } = repeated
        const isTwice = seqs.some((seq, i) => surface.has(seq) && surface.has(originals[i] as number))
        if (isTwice) report({ code: 'message/history-copied', ...placed(repeated) })
      }
    },
  }
}

function placed({ id, origin, seqs, originals }: RepeatedMessages) {
  const [last, firstAt, lastAt] = [seqs.at(-1), originals[0], originals.at(-1)] as [number, number, number]
  const args = { id, messages: seqs.length, last, firstAt, lastAt }
  return { origin, seq: seqs[0] as number, args, related: [last, firstAt, lastAt] }
}

/** How often the model is sent each message that came again. */
function visibleCopies(
  repetitions: readonly RepeatedMessages[],
  surface: SessionSurface,
): ReadonlyMap<number, number> {
  const visible = new Map<number, number>()
  for (const { seqs, originals } of repetitions) {
    for (const [index, original] of originals.entries()) {
      const before = visible.get(original) ?? (surface.has(original) ? 1 : 0)
      visible.set(original, before + (surface.has(seqs[index] as number) ? 1 : 0))
    }
  }
  return visible
}
