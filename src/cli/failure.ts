/** The one place where a run ends early: a sentence and a hint for the user, a stack trace only for our own bugs. */
import { escapeText } from '../report/escape-text.ts'
import { ToolError } from '../storage/tool-error.ts'

export interface Failure {
  readonly text: string
  readonly exitCode: number
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ToolError) {
    const hint = error.hint === undefined ? '' : `${escapeText(error.hint)}\n`
    return { text: `resurface: ${escapeText(error.message)}\n${hint}`, exitCode: error.exitCode }
  }
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (
    error instanceof Error &&
    typeof code === 'string' &&
    (error as NodeJS.ErrnoException).syscall !== undefined
  ) {
    return { text: `resurface: ${escapeText(error.message)}\n`, exitCode: 3 }
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const lines = stack.split('\n').map(escapeText).join('\n')
  return { text: `resurface: this is a bug, please report it\n${lines}\n`, exitCode: 70 }
}
