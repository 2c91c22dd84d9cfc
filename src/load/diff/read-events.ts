/** The events of a log as numbers, for a comparison of what it says: read as they are stored, packed rows as their members. */
import { contentWithoutReferences, unnumbered } from '../../core/diff/event-content.ts'
import { HashIds } from '../../core/diff/hash-ids.ts'
import type { EventList } from '../../core/diff/match-events.ts'
import { NumberList } from '../../core/event/number-list.ts'
import { canonicalJson } from '../../core/json/canonical-json.ts'
import type { JsonObject } from '../../core/json/json-value.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { SessionReader } from '../reading/session-reader.ts'
import { eventsOf } from '../reading/stored-events.ts'
import { shortHash } from './short-hash.ts'

/** Numbers for contents and types, shared by the logs that are compared. */
export class EventNames {
  readonly #contents = new HashIds()
  readonly #types = new Map<string, number>()

  contentId(content: JsonObject): number {
    return this.#contents.idOf(shortHash(canonicalJson(content)))
  }

  typeId(type: string): number {
    const known = this.#types.get(type)
    if (known !== undefined) return known
    this.#types.set(type, this.#types.size)
    return this.#types.size - 1
  }

  get types(): readonly string[] {
    return [...this.#types.keys()]
  }
}

export interface ReadEvents extends EventList {
  /** The header as it is stored. */
  readonly header: JsonObject | undefined
}

export async function readEvents(
  source: RecordSource,
  limits: ReadLimits,
  names: EventNames,
): Promise<ReadEvents> {
  const reader = new SessionReader(source, limits, { asStored: true })
  const [seqs, contents, exact, types] = [
    NumberList.large(),
    NumberList.small(),
    NumberList.small(),
    NumberList.small(),
  ]
  for await (const event of eventsOf(reader)) {
    const whole = names.contentId(unnumbered(event))
    const content = contentWithoutReferences(event)
    seqs.push(event.seq)
    exact.push(whole)
    contents.push(content === undefined ? whole : names.contentId(content))
    types.push(names.typeId(event.type))
  }
  return {
    header: reader.storedHeader,
    seqs: seqs.values(),
    contents: contents.values(),
    exact: exact.values(),
    types: types.values(),
  }
}
