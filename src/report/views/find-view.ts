/** Where a text was said, each place by itself: the session, the event, and what became of it. */
import type { ListItem } from '../main-list.ts'
import type { Entry, Tone } from '../section.ts'
import type { View } from './view.ts'

export const findView: View<'find'> = {
  *sections(report) {
    yield { kind: 'entries', entries: Array.from(report.data.hits, entryOf) }
  },
  entry: entryOf,
}

const TONES: Record<ListItem<'find'>['class'], Tone> = {
  current: 'ok',
  shadowed: 'warning',
  'log-only': 'dim',
}

function entryOf(hit: ListItem<'find'>): Entry {
  const { path, seq, turn, kind, excerpt } = hit
  const place = turn === undefined ? `#${seq}` : `#${seq}, turn ${turn}`
  return { heading: `${path} ${place}, ${kind}: ${fate(hit)}`, tone: TONES[hit.class], body: excerpt }
}

function fate({ class: found, replacedBy, replacement }: ListItem<'find'>): string {
  if (found === 'current') return 'the model sees it'
  if (found === 'log-only') return 'never sent to the model'
  return replacement === 'compaction'
    ? `compacted away by #${replacedBy}`
    : `the model sees #${replacedBy} instead`
}
