/** What was read is not what is stored any more: a log does not change before its end, so it has to be read again. */
export class LogReplaced extends Error {
  /** The file to go on with, when it is another one. */
  readonly successor: string | undefined

  constructor(reason: string, successor?: string) {
    super(reason)
    this.name = 'LogReplaced'
    this.successor = successor
  }
}

export const OTHER_FILE = 'another file has taken its place'
export const REWRITTEN = 'what was read of it has changed'

/** There is no file of that name: it, or a folder above it, was taken away or is something else now. */
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/** Handles the error of reading a file that was there before. */
export function rejectMissing(error: NodeJS.ErrnoException): never {
  throw GONE.has(error.code ?? '') ? new LogReplaced('it is gone') : error
}
