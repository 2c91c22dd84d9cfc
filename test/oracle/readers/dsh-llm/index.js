/**
 * A stand-in for the one class that the readers need of this package and that no published version has: it makes of
 * streamed chunks the records that format 2 embeds in an answer. Deltas that continue the one before go into its
 * record; everything else gets one of its own.
 */
const PACKED = {
  'text-delta': { type: 'text-chunks', list: 'texts', member: 'text' },
  'reasoning-delta': { type: 'reasoning-chunks', list: 'texts', member: 'text' },
  'tool-call-delta': { type: 'tool-call-chunks', list: 'args', member: 'argumentsDelta' },
}

export class AssistantStreamAccumulator {
  #records = []
  /** Time of the last delta, and where in its record the next one goes, while a delta may continue. */
  #open

  push({ time, chunk }) {
    const packed = PACKED[chunk.type]
    if (packed === undefined || chunk.id === '' || chunk.name === '') {
      this.#records.push({ type: 'chunk', time, chunk })
      this.#open = undefined
      return
    }
    const delta = chunk[packed.member]
    const open = this.#open
    if (open !== undefined && continues(open.chunk, chunk)) {
      open.record.dt.push(time - open.time)
      open.record[packed.list].push(delta)
      open.time = time
      return
    }
    const { index, id, name } = chunk
    const record = {
      type: packed.type,
      time0: time,
      index,
      dt: [],
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      [packed.list]: [delta],
    }
    this.#records.push(record)
    this.#open = { record, chunk, time }
  }

  snapshot() {
    return structuredClone(this.#records)
  }
}

function continues(before, chunk) {
  return ['type', 'index', 'id', 'name'].every((member) => before[member] === chunk[member])
}
