/** The records of a log as numbers, for a comparison of what is stored. */
import type { HashIds } from '../../core/diff/hash-ids.ts'
import { NOWHERE, type RecordList } from '../../core/diff/record-changes.ts'
import { NumberList } from '../../core/event/number-list.ts'
import { canonicalJson } from '../../core/json/canonical-json.ts'
import type { RecordSource, StoredRecord } from '../../storage/record-source.ts'
import { shortHash } from './short-hash.ts'

/** @param ids - shared by the files that are compared. */
export async function readRecords(source: RecordSource, ids: HashIds): Promise<RecordList> {
  const list = {
    ids: NumberList.small(),
    byteOffsets: NumberList.large(),
    byteLengths: NumberList.large(),
    frames: NumberList.small(),
    rows: NumberList.large(),
  }
  for await (const batch of source.items()) {
    for (const item of batch) {
      if (item.kind !== 'record') continue
      const { origin } = item
      list.ids.push(ids.idOf(hashOf(item)))
      list.byteOffsets.push(origin.byteOffset ?? NOWHERE)
      list.byteLengths.push(origin.byteLength ?? 0)
      list.frames.push(origin.frame ?? NOWHERE)
      list.rows.push(origin.row ?? NOWHERE)
    }
  }
  return {
    ids: list.ids.values(),
    byteOffsets: list.byteOffsets.values(),
    byteLengths: list.byteLengths.values(),
    frames: list.frames.values(),
    rows: list.rows.values(),
  }
}

/** What could not be read is no line, and a line that nothing ends is not the line that a line feed ends. */
function hashOf({ content, ended, line }: StoredRecord): string {
  switch (content.kind) {
    case 'bytes':
      return ended ? shortHash(content.bytes) : shortHash(`torn ${content.bytes.toString('base64')}`)
    case 'value':
      return shortHash(canonicalJson(content.value))
    case 'unreadable':
      return shortHash(`unreadable ${line} ${content.problem}`)
    case 'oversize':
      return shortHash(`oversize ${line} ${content.bytes}`)
  }
}
