/**
 * What releases that get a log by migration have against it: found while the log is read, counted by kind, and kept with
 * its places in bounded number.
 */
import type { Origin } from '../findings/origin.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer } from '../replay/reducer.ts'
import { Migration } from './migration/migration.ts'
import type { TargetFormat, UpgradeArea, UpgradeRefusal } from './migration/refusal.ts'

/** Refusals of one kind. */
export interface MigrationFact {
  readonly area: UpgradeArea
  readonly kind: string
  readonly targets: readonly TargetFormat[]
  readonly count: number
}

export interface MigrationFacts {
  readonly facts: readonly MigrationFact[]
  /** The first ones of each area, in the order of the log. */
  readonly refusals: readonly UpgradeRefusal[]
  /** The log has a header that the migrations begin with. */
  readonly isFollowed: boolean
}

/** Kinds that are distinguished; a hostile log may invent any number of them. */
const MOST_KINDS = 50
const LONGEST_KIND = 120
const MOST_KEPT = 1000

export function migrationFacts(): Reducer<MigrationFacts> {
  const facts = new Map<string, MigrationFact & { count: number }>()
  const kept = new Map<UpgradeArea, number>()
  const refusals: UpgradeRefusal[] = []
  let migration: Migration | undefined
  let seenHeader = false

  function note(refusal: UpgradeRefusal): void {
    const { area, targets } = refusal
    const count = kept.get(area) ?? 0
    kept.set(area, count + 1)
    if (count < MOST_KEPT) refusals.push(refusal)
    const kind = refusal.kind.slice(0, LONGEST_KIND)
    const isNamed = facts.size < MOST_KINDS || facts.has(`${targets} ${kind}`)
    const named = isNamed ? kind : 'and other kinds'
    const key = `${targets} ${named}`
    const fact = facts.get(key)
    if (fact === undefined) facts.set(key, { area, kind: named, targets, count: 1 })
    else fact.count++
  }

  return {
    types: new Set(),
    onDeltas: ignoreDeltas,
    on: ignoreDeltas,
    stored(value, origin) {
      if (seenHeader) migration?.take(value, origin)
      else migration = begun(value, origin, note)
      seenHeader = true
    },
    storedRun(run, origin) {
      migration?.takeRun(run, origin)
    },
    finish() {
      migration?.finish()
      return { facts: [...facts.values()], refusals, isFollowed: migration !== undefined }
    },
  }
}

const MIGRATED: ReadonlySet<unknown> = new Set([0, 1, 2, 3])

function begun(
  value: JsonValue | undefined,
  origin: Origin,
  note: (refusal: UpgradeRefusal) => void,
): Migration | undefined {
  return isJsonObject(value) && MIGRATED.has(value.version) ? new Migration(value, origin, note) : undefined
}
