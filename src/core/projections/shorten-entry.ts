/** The beginning of long texts, for anyone who cannot hold all of what a log says. What was left out is counted. */
import type { TranscriptEntry } from './transcript.ts'

/** An entry whose texts may have been cut. */
export type ShortEntry = TranscriptEntry & {
  /** How many UTF-16 units were cut off its texts. */
  readonly cut?: number
}

const TEXTS = ['text', 'reasoning', 'arguments', 'name', 'callId', 'source', 'reason', 'code'] as const

type Texts = { readonly [Member in (typeof TEXTS)[number]]?: string }

function textsOf(entry: TranscriptEntry): Texts {
  return entry as Texts
}

/** @param most - units that are kept of each text. */
export function shortenEntry(entry: TranscriptEntry, most: number): ShortEntry {
  const shorter: Partial<Record<keyof Texts, string>> = {}
  let cut = 0
  for (const member of TEXTS) {
    const text = textsOf(entry)[member]
    if (text === undefined || text.length <= most) continue
    const kept = beginningOf(text, most)
    shorter[member] = kept
    cut += text.length - kept.length
  }
  return cut === 0 ? entry : ({ ...entry, ...shorter, cut } as ShortEntry)
}

/** How much an entry holds, in UTF-16 units. */
export function unitsOf(entry: TranscriptEntry): number {
  const calls = entry.kind === 'assistant' ? entry.calls : []
  let units = calls.reduce((sum, { callId, name }) => sum + callId.length + name.length, 0)
  for (const member of TEXTS) units += textsOf(entry)[member]?.length ?? 0
  return units
}

/** At most `most` units of a text, no character of it halved, and nothing that keeps the whole text in memory. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  const end = last >= 0xd800 && last <= 0xdbff ? most - 1 : most
  // A slice would hold on to the text that it is a slice of; this copy does not.
  return JSON.parse(JSON.stringify(text.slice(0, end))) as string
}

/** The first words of a text, marked where more came. */
export function excerptOf(text: string, most: number): string {
  const beginning = beginningOf(text, most)
  return beginning === text ? text : `${beginning}…`
}
