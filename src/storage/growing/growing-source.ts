/** A source of records whose log still grows: its batches come when there is more, and end when the growth does. */
import type { RecordSource } from '../record-source.ts'

export interface GrowingSource extends RecordSource {
  /** Whether a reading from the start has come to the end of what was stored, and waited for more. */
  readonly hasCaughtUp: () => boolean
}
