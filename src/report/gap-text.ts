/** What is lost at a gap, in the same words wherever it is said. */
import { excerptOf } from '../core/projections/shorten-entry.ts'
import type { Gap } from '../core/replay/gap.ts'
import { plural } from './number-text.ts'

type Loss = Gap & { readonly turn?: number; readonly step?: number }

/** `3 events are missing (among seqs 17 to 21, in turn 2, step 1); messages may be among them` */
export function gapText(gap: Loss): string {
  const { events } = gap
  const who = events === undefined ? 'events' : plural(events, 'event')
  const isOne = events === 1
  const may =
    events === undefined
      ? 'how many cannot be told, and messages may be among them'
      : isOne
        ? 'it may be a message'
        : 'messages may be among them'
  return `${who} ${STATES[gap.kind][isOne ? 0 : 1]} (${placeOf(gap)}); ${may}`
}

const STATES = {
  missing: ['is missing', 'are missing'],
  unreadable: ['cannot be read', 'cannot be read'],
  unnumbered: ['has no valid sequence number', 'have no valid sequence number'],
  unread: ['was not read, because it is over the limit', 'were not read, because they are over the limit'],
  dropped: ['at the end is dropped by DSH', 'at the end are dropped by DSH'],
} as const

function placeOf({ first, last, turn, step, events }: Loss): string {
  // Some of them were put back.
  const among = last !== undefined && events !== undefined && events < last - first + 1 ? 'among ' : ''
  const seqs =
    last === undefined
      ? `where seq ${first} is due`
      : first === last
        ? `seq ${first}`
        : `${among}seqs ${first} to ${last}`
  if (turn === undefined) return seqs
  return `${seqs}, in turn ${turn}${step === undefined ? '' : `, step ${step}`}`
}

/** What of the lost events can still be read; the beginning of each text. */
export function gapTexts({ texts = [] }: Gap): readonly string[] {
  return texts.map((text) => excerptOf(text, SHOWN_UNITS))
}

const SHOWN_UNITS = 160
