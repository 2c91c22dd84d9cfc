/** What can be chosen about a repair. The same choices on the same log give the same plan. */
import type { SessionHeader } from '../../core/event/session-event.ts'
import type { Keep } from '../../core/repair/arrange-runs.ts'
import type { ReadLimits } from '../../storage/record-source.ts'
import type { Boundary } from './cut-place.ts'

export interface RepairOptions {
  readonly limits: ReadLimits
  /** Where the log lies. */
  readonly file: string
  readonly keep: Keep
  /** Mark events of unknown types ignorable. */
  readonly allowUnknown: boolean
  /** Name of a release that has to open the log. */
  readonly target?: string
  /** Take out these events, by the seqs that they have in the log. */
  readonly drop?: readonly number[]
  /** They were not named by anyone: DSH drops them, too. */
  readonly dropsAsDsh?: true
  /** Take the messages that wait in the inbox out of it. */
  readonly dropWaiting?: true
  /** Another session of the same store: its header tells what all of them share. */
  readonly like?: { readonly name: string; readonly header: SessionHeader }
  /** What to name where the log names no provider and model. */
  readonly model?: { readonly provider: string; readonly model: string }
  /** Leave out everything after this place. */
  readonly truncateAfter?: Boundary
}
