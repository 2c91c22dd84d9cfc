/** Which event types the readers of each format know: questions to the catalogue. */
import { EVENT_TYPES, type EventType } from './event-types.ts'

/** The row of a type that some release knows, or the specification. */
export function eventType(type: string): EventType | undefined {
  const row = catalogued(type)
  return row?.earlyNameOf === undefined && row?.retired !== true ? row : undefined
}

/** The row of a type, also one of early builds. */
export function catalogued(type: string): EventType | undefined {
  if (type !== lastAsked) {
    lastRow = ROWS.get(type)
    lastAsked = type
  }
  return lastRow
}

/** An event is asked about several times in a row. */
let lastAsked = ''
let lastRow: EventType | undefined

const ROWS: ReadonlyMap<string, EventType> = new Map(Object.entries(EVENT_TYPES))
const NAMES: ReadonlyMap<string, string> = new Map([...ROWS.keys()].map((type) => [type, type]))

/** The same text, and for all events of a type the same string: two of them need no look at their letters. */
export function typeName(type: string): string {
  return NAMES.get(type) ?? type
}

export function isKnownType(type: string, format: number): boolean {
  const row = eventType(type)
  if (row === undefined || row.specificationOnly === true) return false
  return format >= row.from && format <= (row.to ?? Number.POSITIVE_INFINITY)
}

/** Whether events of this type produce a model message, in whichever formats know it. */
export function isSurfaceEligibleType(type: string): boolean {
  return eventType(type)?.surface === true
}

/** The types that become nodes of the surface in some format, and those of the specification. */
export const SURFACE_TYPES: ReadonlySet<string> = surfaceTypes(Number.POSITIVE_INFINITY)

/** The types that become nodes of the surface in a format, and those of the specification. */
export function surfaceTypes(format: number): ReadonlySet<string> {
  const rows = Object.entries(EVENT_TYPES).filter(([type]) => isSurfaceEligibleType(type))
  return new Set(rows.flatMap(([type, { from }]) => (from <= format ? [type] : [])))
}
