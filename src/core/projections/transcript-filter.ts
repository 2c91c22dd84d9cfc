/** Parts of a transcript, for anyone who wants to read no more of it. Entries stay in order and keep what they say. */
import type { TranscriptEntry } from './transcript.ts'

type Speaker = 'user' | 'assistant' | 'tool'

export interface TranscriptFilter {
  /** Both ends belong to it. */
  readonly seq?: { readonly from: number; readonly to: number } | undefined
  readonly turn?: number | undefined
  /** Entries of this speaker alone: what they left unfinished, too. */
  readonly only?: Speaker | undefined
  /** The last so many turns that have a chosen entry, with what is between and after them. */
  readonly tail?: number | undefined
  /** False leaves out what tools gave back, but for how much it was. */
  readonly toolOutput?: boolean | undefined
}

export function filterEntries(
  entries: readonly TranscriptEntry[],
  { seq, turn, only, tail, toolOutput = true }: TranscriptFilter,
): readonly TranscriptEntry[] {
  const chosen = entries.filter(
    (entry) =>
      (seq === undefined || (entry.seq >= seq.from && entry.seq <= seq.to)) &&
      (turn === undefined || entry.turn === turn) &&
      (only === undefined || speakerOf(entry) === only),
  )
  const shown = lastTurns(chosen, tail)
  return toolOutput ? shown : shown.map(withoutToolOutput)
}

function speakerOf(entry: TranscriptEntry): Speaker | undefined {
  switch (entry.kind) {
    case 'user':
    case 'assistant':
    case 'tool':
      return entry.kind
    case 'unfinished':
      return entry.what === 'answer' ? 'assistant' : 'tool'
    default:
      return undefined
  }
}

function lastTurns(
  entries: readonly TranscriptEntry[],
  count: number | undefined,
): readonly TranscriptEntry[] {
  if (count === undefined) return entries
  const turns = new Set<number>()
  for (let index = entries.length - 1; index >= 0; index--) {
    const { turn } = entries[index] as TranscriptEntry
    if (turn === undefined) continue
    turns.add(turn)
    if (turns.size > count) return entries.slice(index + 1)
  }
  return entries
}

function withoutToolOutput(entry: TranscriptEntry): TranscriptEntry {
  if (entry.kind !== 'tool' || entry.text === '') return entry
  return { ...entry, text: '', omitted: entry.text.length }
}
