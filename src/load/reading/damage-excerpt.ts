/** What a damaged record looks like where it is damaged. */
import { type Excerpt, excerptAround } from '../../core/findings/finding.ts'
import { jsonFault } from '../../core/json/json-fault.ts'
import type { RecordContent } from '../../storage/record-source.ts'

/** Of a longer record only the beginning is looked at. */
const LONGEST = 16 * 1024 * 1024

/** Of a record that is no JSON, or no UTF-8; nothing of what holds no text. */
export function damageExcerpt(content: RecordContent): Excerpt | undefined {
  if (content.kind !== 'bytes' || content.bytes.every((byte) => byte === 0 || byte === 0x20)) return undefined
  const text = content.bytes.subarray(0, LONGEST).toString('utf8')
  const fault = jsonFault(text)
  const replaced = text.indexOf('\ufffd')
  return excerptAround(text, fault === text.length && replaced !== -1 ? replaced : fault)
}
