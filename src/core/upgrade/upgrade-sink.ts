/** Where the mendings of an upgrade put what they find: changes of an event, by its seq, each with its family. */
import type { JsonObject } from '../json/json-value.ts'
import type { MemberChange, RowPatch } from '../repair/row-patch.ts'
import type { FamilyName } from '../repair/upgrade-families.ts'

export interface UpgradeSink {
  change(seq: number, family: FamilyName, ...changes: readonly MemberChange[]): void
  patch(seq: number, family: FamilyName, patch: RowPatch): void
  /** The event leaves the log. */
  drop(seq: number, family: FamilyName): void
  /** New rows in front of an event; they are numbered when all of them are known. */
  insert(before: number, family: FamilyName, ...rows: readonly NewRow[]): void
}

export interface NewRow {
  readonly type: string
  readonly time: number
  readonly data: JsonObject
}
