/**
 * Two logs, event by event. Both are read once into numbers and matched; an event that names others is the same only if
 * it names the same ones, whatever their numbers are now; and of the first changed events it is said what changed.
 */
import type { MatchedLogs } from '../../core/diff/event-changes.ts'
import { unnumbered } from '../../core/diff/event-content.ts'
import { type EventMatch, FATE, GONE, matchEvents, renumbering } from '../../core/diff/match-events.ts'
import { type MemberChanges, memberChanges } from '../../core/diff/member-changes.ts'
import type { SessionEvent } from '../../core/event/session-event.ts'
import type { JsonObject } from '../../core/json/json-value.ts'
import { stringifyJson } from '../../core/json/stringify-json.ts'
import { type Renaming, renaming, renumberRow } from '../../core/repair/renumber-row.ts'
import type { ReadLimits, RecordSource } from '../../storage/record-source.ts'
import { storedEvents } from '../reading/stored-events.ts'
import { EventNames, type ReadEvents, readEvents } from './read-events.ts'

export interface EventDiff extends MatchedLogs {
  /** What differs in the headers; absent when nothing does. */
  readonly header?: MemberChanges
}

/** Changed events of which it is said what changed, and how much text they may have together. */
const MOST_DETAILED = 200
const MOST_TEXT = 32 * 1024 * 1024

export async function diffEvents(a: RecordSource, b: RecordSource, limits: ReadLimits): Promise<EventDiff> {
  const names = new EventNames()
  const listA = await readEvents(a, limits, names)
  const listB = await readEvents(b, limits, names)
  const match = matchEvents(listA, listB)
  const comparing: Comparing = { a: listA, b: listB, match, limits, names: renamingOf(listA, listB, match) }
  await compareReferences(a, comparing, names)
  const header = memberChanges({ header: listA.header }, { header: listB.header })
  return {
    a: listA,
    b: listB,
    match,
    types: names.types,
    details: await detailsOf(a, b, comparing),
    ...(header.members.length > 0 && { header }),
  }
}

interface Comparing {
  readonly a: ReadEvents
  readonly b: ReadEvents
  readonly match: EventMatch
  readonly limits: ReadLimits
  readonly names: Renaming
}

/** An event that is gone keeps its number: who names it still does. */
function renamingOf(a: ReadEvents, b: ReadEvents, match: EventMatch): Renaming {
  const map = renumbering(a, b, match)
  return renaming({ of: (seq) => map.of(seq) ?? seq })
}

function renamed(event: SessionEvent, seq: number, names: Renaming): JsonObject {
  return unnumbered(renumberRow(event as unknown as JsonObject, seq, names) as unknown as SessionEvent)
}

/** Finds the events that say the same of other events than before. */
async function compareReferences(
  source: RecordSource,
  { a, b, match, limits, names }: Comparing,
  ids: EventNames,
): Promise<void> {
  const { partners, fates } = match
  const namesOthers = (i: number): boolean =>
    fates[i] === FATE.same &&
    (a.exact[i] !== a.contents[i] || b.exact[partners[i] as number] !== b.contents[partners[i] as number])
  const isRenumbered = a.seqs.some((seq, i) => partners[i] !== GONE && seq !== b.seqs[partners[i] as number])
  if (!isRenumbered) {
    for (let i = 0; i < fates.length; i++)
      if (namesOthers(i) && a.exact[i] !== b.exact[partners[i] as number]) fates[i] = FATE.changed
    return
  }
  let i = 0
  for await (const event of storedEvents(source, limits)) {
    const at = i++
    if (at >= fates.length || !namesOthers(at)) continue
    const partner = partners[at] as number
    const now = ids.contentId(renamed(event, b.seqs[partner] as number, names))
    if (now !== b.exact[partner]) fates[at] = FATE.changed
  }
}

/** The members that differ, with the references of the first log as the second one numbers them. */
async function detailsOf(
  sourceA: RecordSource,
  sourceB: RecordSource,
  { b, match, limits, names }: Comparing,
): Promise<ReadonlyMap<number, MemberChanges>> {
  const wanted = new Map<number, number>()
  for (let i = 0; i < match.fates.length && wanted.size < MOST_DETAILED; i++)
    if (match.fates[i] === FATE.changed) wanted.set(i, match.partners[i] as number)
  if (wanted.size === 0) return new Map()
  const before = await eventsAt(sourceA, limits, new Set(wanted.keys()))
  const after = await eventsAt(sourceB, limits, new Set(wanted.values()))
  const details = new Map<number, MemberChanges>()
  for (const [i, j] of wanted) {
    const [old, now] = [before.get(i), after.get(j)]
    if (old === undefined || now === undefined) continue
    details.set(i, memberChanges(renamed(old, b.seqs[j] as number, names), unnumbered(now)))
  }
  return details
}

async function eventsAt(
  source: RecordSource,
  limits: ReadLimits,
  positions: ReadonlySet<number>,
): Promise<ReadonlyMap<number, SessionEvent>> {
  const events = new Map<number, SessionEvent>()
  let last = -1
  for (const position of positions) last = Math.max(last, position)
  // Each log has its half, so that the first changes have both of their sides.
  let left = MOST_TEXT / 2
  let at = 0
  for await (const event of storedEvents(source, limits)) {
    if (positions.has(at)) {
      left -= stringifyJson(event).length
      if (left < 0) break
      events.set(at, event)
    }
    if (at++ === last) break
  }
  return events
}
