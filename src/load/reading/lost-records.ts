/** Records that could not be taken, until it is clear which seqs were theirs: how many, and what of their texts is left. */
import { stringifyJson } from '../../core/json/stringify-json.ts'
import { beginningOf } from '../../core/projections/shorten-entry.ts'
import type { RecordContent, StoredRecord } from '../../storage/record-source.ts'
import { withoutMarks } from './mend-line.ts'

/** Enough to recognise what was said. */
const MOST_TEXTS = 5
const MOST_UNITS = 200
/** Bytes of a record that are looked at. */
const MOST_BYTES = 256 * 1024

export class LostRecords {
  #texts: string[] = []
  /** Of every record, how many texts there were before it. */
  #before: number[] = []

  get count(): number {
    return this.#before.length
  }

  note(content: RecordContent): void {
    if (isBlank(content)) return
    const known = this.#texts.length
    this.#before.push(known)
    if (known < MOST_TEXTS) this.#texts.push(...readableTexts(content, MOST_TEXTS - known))
  }

  /** Takes the last records back: they are parts of something whole. */
  withdraw(records: readonly Pick<StoredRecord, 'content'>[]): void {
    const parts = records.filter(({ content }) => !isBlank(content)).length
    const [first] = this.#before.splice(-parts, parts)
    if (first !== undefined) this.#texts.length = first
  }

  /** @returns what the records said, as far as it can be read. They are forgotten. */
  take(): readonly string[] {
    const texts = this.#texts
    this.#texts = []
    this.#before = []
    return texts
  }
}

/** Whether no event was ever in it: an editor or an append left an empty line, or a bracket of its own. */
export function isBlank(content: RecordContent): boolean {
  return content.kind === 'bytes' && withoutMarks(content.bytes).length === 0
}

const TEXT_MEMBER = /"(?:text|content|summary|title)"\s{0,8}:\s{0,8}"/g

/** The beginnings of the texts in what may be no JSON. */
function readableTexts(content: RecordContent, most: number): readonly string[] {
  const found: string[] = []
  const stored = storedText(content)
  for (const { index, 0: member } of stored.matchAll(TEXT_MEMBER)) {
    const text = stringAt(stored, index + member.length)
    if (text.trim() !== '') found.push(text)
    if (found.length === most) break
  }
  return found
}

function storedText(content: RecordContent): string {
  if (content.kind === 'bytes') return content.bytes.toString('utf8', 0, MOST_BYTES)
  return content.kind === 'value' ? stringifyJson(content.value).slice(0, MOST_BYTES) : ''
}

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g

/** @param start - the place after the opening quote. */
function stringAt(stored: string, start: number): string {
  let end = start
  // An escape takes six units at most.
  while (end < stored.length && end - start < 6 * MOST_UNITS && stored[end] !== '"')
    end += stored[end] === '\\' ? 2 : 1
  const raw = stored.slice(start, end).replace(ESCAPE, (unit) => JSON.parse(`"${unit}"`) as string)
  return beginningOf(raw, MOST_UNITS)
}
