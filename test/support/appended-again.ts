/** History that an importer appended twice: seqs and times go on, the messages are the old ones. */
import type { JsonValue } from '../../src/core/json/json-value.ts'
import type { LogBuilder } from './log-builder.ts'

/** The first turn of `base()` again, with the ids of the messages at `seqs`. */
export function appendedAgain(built: LogBuilder, seqs: readonly number[]): LogBuilder {
  const ids = built
    .events()
    .filter(({ seq }) => seqs.includes(seq))
    .map(messageIdOf)
  const first = built.nextSeq
  built.turn((turn) =>
    turn
      .user('list files')
      .step((step) => step.request().assistant('').call('c1', 'bash').result('c1', 'a.txt')),
  )
  for (const [index, seq] of seqs.entries()) {
    built.edit(first + seq, (row) => {
      const data = row.data as { message?: { id: string }; id?: string }
      Object.assign(data.message ?? data, { id: ids[index] })
      return row
    })
  }
  return built
}

/** The id of the message that an event carries. */
function messageIdOf({ data }: { readonly data: JsonValue }): JsonValue | undefined {
  const { message, id } = data as { message?: { id: string }; id?: string }
  return message?.id ?? id
}
