/**
 * Where something came from in the stored file. Positions are those of the bytes on disk, so that a person can
 * go and look: line numbers count every line of the file from 1 (the header is line 1), byte offsets count from 0.
 */
export interface Origin {
  readonly line?: number
  readonly byteOffset?: number
  /** Length in bytes, without the line feed. */
  readonly byteLength?: number
  /** Zero-based index of the compressed frame. */
  readonly frame?: number
  /** Key of the database row. */
  readonly row?: number
  /** Position inside a packed row, from 0. */
  readonly member?: number
}
