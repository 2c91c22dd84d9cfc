/** Where the mendings of an upgrade put what they find: changes of an event, by its seq, each with its family. */
import type { JsonObject } from '../json/json-value.ts'
import type { MemberEdit } from '../json/member-edit.ts'
import { type EventEdits, type Mending, moved } from '../repair/event-edits.ts'
import { step } from '../repair/repair-step.ts'
import type { RowPatch } from '../repair/row-patch.ts'
import { type MovedRange, SeqMap } from '../repair/seq-map.ts'
import { FAMILY_NAMES, type FamilyName } from '../repair/upgrade-families.ts'

export interface NewRow {
  readonly type: string
  readonly time: number
  readonly data: JsonObject
}

/** All changes of one pass, as edits and as steps, a step for each family. */
export class Changes {
  readonly #patches = new Map<number, RowPatch[]>()
  readonly #dropped = new Set<number>()
  readonly #inserted = new Map<number, NewRow[]>()
  readonly #seqs = new Map<FamilyName, Set<number>>()

  change(seq: number, family: FamilyName, ...changes: readonly MemberEdit[]): void {
    this.patch(seq, family, { kind: 'members', changes })
  }

  patch(seq: number, family: FamilyName, patch: RowPatch): void {
    this.#note(seq, family)
    this.#patches.set(seq, [...(this.#patches.get(seq) ?? []), patch])
  }

  /** The event leaves the log. */
  drop(seq: number, family: FamilyName): void {
    this.#note(seq, family)
    this.#dropped.add(seq)
  }

  /** New rows in front of an event; they are numbered when all of them are known. */
  insert(before: number, family: FamilyName, ...rows: readonly NewRow[]): void {
    this.#note(before, family)
    this.#inserted.set(before, [...(this.#inserted.get(before) ?? []), ...rows])
  }

  #note(seq: number, family: FamilyName): void {
    const seqs = this.#seqs.get(family) ?? new Set()
    this.#seqs.set(family, seqs.add(seq))
  }

  mending(): Mending {
    const steps = FAMILY_NAMES.flatMap((family) => {
      const seqs = this.#seqs.get(family)
      return seqs === undefined ? [] : [step('upgrade', { family }, { seqs: [...seqs].toSorted(rising) })]
    })
    return { steps, edits: this.#edits() }
  }

  #edits(): EventEdits {
    const places = new Set([...this.#dropped, ...this.#inserted.keys()])
    const patches = { patches: this.#patches }
    if (places.size === 0) return patches
    const ranges: MovedRange[] = []
    const inserted: JsonObject[] = []
    let first = 0
    let shift = 0
    for (const seq of [...places].toSorted(rising)) {
      const rows = this.#inserted.get(seq) ?? []
      if (seq > first) ranges.push({ first, end: seq, shift })
      first = seq
      for (const { type, time, data } of rows) inserted.push({ type, seq: seq + shift++, time, data })
      if (!this.#dropped.has(seq)) continue
      first = seq + 1
      shift--
    }
    ranges.push({ first, end: Number.POSITIVE_INFINITY, shift })
    return { ...patches, names: moved(new SeqMap(ranges)), why: 'upgrade', inserted }
  }
}

const rising = (a: number, b: number): number => a - b
