/** How many bytes each record of a log takes as a line of text, whatever container holds it. */
import { NumberList } from '../../core/event/number-list.ts'
import type { Origin } from '../../core/findings/origin.ts'
import { jsonLine, type RecordSource, type StoredRecord } from '../../storage/record-source.ts'

export interface RecordSizes {
  /** Of all records, with their line feeds. */
  readonly bytes: number
  /** Of the record that something comes from; 0 where nothing says which. */
  of(origin: Origin): number
}

export async function recordSizes(source: RecordSource): Promise<RecordSizes> {
  const sizes = NumberList.small()
  let bytes = 0
  for await (const items of source.items()) {
    for (const item of items) {
      if (item.kind !== 'record') continue
      const size = sizeOf(item)
      bytes += size
      // Lines are counted from 1, and none is passed over.
      sizes.push(size)
    }
  }
  const values = sizes.values()
  return { bytes, of: ({ line = 0 }) => values[line - 1] ?? 0 }
}

function sizeOf({ content, ended }: StoredRecord): number {
  const lineFeed = ended ? 1 : 0
  switch (content.kind) {
    case 'bytes':
      return content.bytes.length + lineFeed
    case 'oversize':
      return content.bytes + lineFeed
    case 'value':
      return jsonLine(content.value).length + lineFeed
    case 'unreadable':
      return 0
  }
}
