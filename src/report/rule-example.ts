/**
 * A small log that raises a finding code, as docs/rule-examples.json holds it: the corpus case of the test suite that
 * shows the code with the least around it. Whoever reads the file gives it in; nothing here opens one.
 */
import { shellWord } from './shell-word.ts'

export interface RuleExample {
  /** What happened to the log, in a few words. */
  readonly name: string
  readonly why: string
  /** The log in which the code is found, and then what has to stand beside it. */
  readonly files: readonly ExampleFile[]
  /** What `check` is given: a path below the folder of the example, or `.` for the folder. */
  readonly named: string
  /** What `check` needs besides. */
  readonly options: readonly string[]
  /** Line of the log that raises the code, when it is one line of a text. */
  readonly line?: number
}

export interface ExampleFile {
  readonly path: string
  readonly bytes: number
  /** The text between the line feeds; the last one is empty when a line feed ends the file. Absent for a binary file. */
  readonly lines?: readonly string[]
  /** The exact bytes, by gzip and base64, where the lines do not give them. */
  readonly gzip?: string
  /** What a binary file is. */
  readonly container?: 'zstd' | 'gzip' | 'sqlite'
}

/** By finding code. Rules that no file at rest can break have none. */
export type RuleExamples = Readonly<Record<string, RuleExample>>

/** The command that shows the finding, once the example stands in `folder`. */
export function tryCommand({ named, options }: RuleExample, folder: string): string {
  const path = named === '.' ? folder : `${folder.replace(/\/+$/, '')}/${named}`
  return ['resurface check', shellWord(path), ...options].join(' ')
}
