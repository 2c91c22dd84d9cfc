/**
 * Which errors of SQLite say that the bytes are damaged. Every other error is passed on. A damaged schema shows as the
 * general error: the statements of this program fit the columns that were found.
 */

/** The message of SQLite when `error` means damaged bytes. */
export function damageOf(error: unknown): string | undefined {
  if (error instanceof RowsOutOfOrder) return error.message
  if (!(error instanceof Error)) return undefined
  const { code } = error as NodeJS.ErrnoException
  if (typeof code !== 'string') return undefined
  return /^SQLITE_(?:CORRUPT|NOTADB|IOERR|ERROR|CANTOPEN)/.test(code) ? error.message : undefined
}

/** SQLite follows a damaged tree without noticing when its pages look sound; the order of the rows shows it. */
export class RowsOutOfOrder extends Error {
  constructor() {
    super('rows are out of order')
    this.name = 'RowsOutOfOrder'
  }
}
