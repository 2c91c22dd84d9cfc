/** What the migrations refuse, as they report it: the rule, what refuses it, the event and the words. */
import type { Origin } from '../../findings/origin.ts'
import { about } from '../../findings/rules/shared-words.ts'
import { MIGRATION_FAULTS } from '../../findings/rules/upgrade.ts'
import type { FindingCode } from '../../findings/rules.ts'
import { type JsonValue, wordOf } from '../../json/json-value.ts'

/** Formats whose releases get older logs by migration. */
export type TargetFormat = 2 | 3 | 4

/** Every one of them. */
export const ALL_LATER: readonly TargetFormat[] = [2, 3, 4]
export const FROM_3: readonly TargetFormat[] = [3, 4]
export const ONLY_4: readonly TargetFormat[] = [4]

type UpgradeCode = Extract<FindingCode, `upgrade/${string}`>

/** What kind of refusal it is: the code of its findings without the family. */
export type UpgradeArea = UpgradeCode extends `upgrade/${infer Area}` ? Area : never

export interface UpgradeRefusal {
  readonly area: UpgradeArea
  /** Formats whose releases refuse the log because of it. */
  readonly targets: readonly TargetFormat[]
  readonly origin: Origin
  readonly seq?: number
  /** Type of the event, or `session` for the header. */
  readonly type: string
  /** Where in the row it is. */
  readonly path?: string
  /** What is wrong there: words that follow the path, or the type where there is none. */
  readonly problem: string
  /** What is counted together with others: words that say the same of all of them. */
  readonly kind: string
}

/** An event on its way through the migrations. The seq is that of the log. */
export interface MigratedEvent {
  readonly type: string
  readonly seq: number
  readonly time: JsonValue | undefined
  readonly data: JsonValue | undefined
  readonly surfaceOp: JsonValue | undefined
  readonly sourceEventSeqs: readonly number[] | undefined
  readonly ignorable: JsonValue | undefined
  readonly origin: Origin
}

export type FaultArea = keyof typeof MIGRATION_FAULTS

export type FaultIn<Area extends FaultArea> = keyof (typeof MIGRATION_FAULTS)[Area] & string

export type RefusalReport = <Area extends FaultArea>(
  event: Pick<MigratedEvent, 'type' | 'seq' | 'origin'>,
  area: Area,
  fault: FaultIn<Area>,
  more?: {
    readonly targets?: readonly TargetFormat[]
    readonly path?: string
    readonly part?: JsonValue | undefined
  },
) => void

/** The words of a fault, and what all of its kind are counted as. */
export function faultText<Area extends FaultArea>(
  area: Area,
  fault: FaultIn<Area>,
  part?: JsonValue,
): { readonly problem: string; readonly kind: string } {
  const faults: Readonly<Record<string, string | readonly [string, string]>> = MIGRATION_FAULTS[area]
  const [words, kind] = [faults[fault] ?? ''].flat() as [string, string?]
  const problem = about(words, wordOf(part))
  return { problem, kind: kind ?? (words.endsWith(': %') ? words.slice(0, -': %'.length) : problem) }
}

/** What the header of the log says, as the steps ask for it. */
export interface MigratedLog {
  readonly format: number
  readonly sessionId: string
  readonly hasParent: boolean
  /** Number of inherited events; later formats say it by a marker. */
  readonly seedLength: number | undefined
  readonly isSeeded: JsonValue | undefined
}

export function isTime(time: JsonValue | undefined): boolean {
  return Number.isSafeInteger(time) && !Object.is(time, -0)
}
