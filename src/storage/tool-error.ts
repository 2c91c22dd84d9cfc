/** A run that cannot go on, and why: thrown anywhere at the edges, caught once by the command line. */

/** `usage`: asked wrongly; `input`: cannot be read or written; `unsupported`: not on this machine; `refused`: not safe. */
export type ToolErrorCode = 'usage' | 'input' | 'unsupported' | 'refused'

const EXIT_CODES: Readonly<Record<ToolErrorCode, number>> = { usage: 2, input: 3, unsupported: 4, refused: 5 }

/** Why something cannot be done that was asked for: a name, a file, a choice. What is wrong inside a log is a finding. */
export class ToolError extends Error {
  readonly code: ToolErrorCode
  /** What to do about it. */
  readonly hint: string | undefined

  constructor(code: ToolErrorCode, message: string, hint?: string) {
    super(message)
    this.name = 'ToolError'
    this.code = code
    this.hint = hint
  }

  get exitCode(): number {
    return EXIT_CODES[this.code]
  }
}
