/** The messages of a log for a comparison: little of them is held, and they are known again by their hashes. */
import { HashIds } from '../../core/diff/hash-ids.ts'
import { canonicalJson, exactJson } from '../../core/json/canonical-json.ts'
import type { JsonObject } from '../../core/json/json-value.ts'
import type { MadeList } from '../../core/json/made-list.ts'
import { keptMessages, type SurfaceMessage } from '../../core/projections/surface-view.ts'
import type { Reducer } from '../../core/replay/reducer.ts'
import { SpooledItems } from '../../storage/spooled-items.ts'
import { shortHash } from './short-hash.ts'

export function comparedMessages(): Reducer<MadeList<SurfaceMessage>> {
  return keptMessages(new SpooledItems<JsonObject>(exactJson))
}

/** Small numbers for messages: the same message has the same one. */
export function messageIds(): (message: JsonObject) => number {
  const ids = new HashIds()
  return (message) => ids.idOf(shortHash(canonicalJson(message)))
}
