/**
 * Two questions that only the rest of the log can answer. Both are asked only when something is out of the ordinary, and
 * the rest is read no further than the answer needs: of a log that still grows, "yes" is said as soon as it is so, and
 * "no" when the log has ended. Lines without the bytes in question are not parsed.
 */
import { isOfSurface } from '../../core/surface/unmarked-log.ts'
import type { RecordSource, StoredRecord } from '../../storage/record-source.ts'
import { rowIn } from './stored-row.ts'

/** A word may be spelled with escapes; ASCII ones begin like this. */
const ESCAPES = ['\\u00', '\\/']

export class LookAhead {
  readonly #source: RecordSource
  #turnEnds: AsyncGenerator<number> | undefined
  /** Line of the last turn end that was found. */
  #found = 0

  constructor(source: RecordSource) {
    this.#source = source
  }

  /** Whether a readable `turn/end` is at or after `line`. To be asked in the order of the lines. */
  async hasTurnEnd(line: number): Promise<boolean> {
    this.#turnEnds ??= turnEnds(this.#source, line)
    while (this.#found < line) {
      const next = await this.#turnEnds.next()
      if (next.done === true) return false
      this.#found = next.value
    }
    return true
  }

  /** To be called when nothing more is asked. */
  async close(): Promise<void> {
    await this.#turnEnds?.return(undefined)
  }
}

/** Lines of the turn ends from `fromLine` on. */
async function* turnEnds(source: RecordSource, fromLine: number): AsyncGenerator<number> {
  for await (const record of recordsHolding(source, fromLine, ['turn/end', ...ESCAPES])) {
    if (rowIn(record)?.type === 'turn/end') yield record.line
  }
}

/** Whether an event of the surface at or after `fromLine` carries a surface marker. */
export async function hasMarkedEvent(
  source: RecordSource,
  fromLine: number,
  types?: ReadonlySet<string>,
): Promise<boolean> {
  for await (const record of recordsHolding(source, fromLine, ['surfaceOp', ...ESCAPES])) {
    const { type, members } = rowIn(record) ?? {}
    if (members?.surfaceOp === undefined || type === undefined) continue
    const isIgnorable = members.ignorable === true
    if (isOfSurface({ type, ...(isIgnorable && { ignorable: true }) }, types)) return true
  }
  return false
}

async function* recordsHolding(
  source: RecordSource,
  fromLine: number,
  needles: readonly string[],
): AsyncIterable<StoredRecord> {
  const words = needles.map((needle) => Buffer.from(needle))
  for await (const batch of source.items(fromLine)) {
    for (const item of batch) {
      if (item.kind !== 'record' || !item.ended || item.standing === 'hidden') continue
      const { content } = item
      if (content.kind === 'bytes' && !words.some((word) => content.bytes.includes(word))) continue
      yield item
    }
  }
}
