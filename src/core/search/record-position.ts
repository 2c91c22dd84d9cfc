/** What stands in one record of a log, in as many words as it takes to go there. */
export interface RecordPosition {
  /** Number of the record; the header is 1. */
  readonly line: number
  readonly frame?: number
  readonly row?: number
  readonly type?: string
  /** Of the last event, where the record holds several. */
  readonly seq?: number
  readonly turn?: number
  readonly step?: number
  /** Milliseconds since the epoch. */
  readonly time?: number
}
