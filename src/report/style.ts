/** How text looks on this output: colours for tones, and the width to fit. Decided once by the command line. */
import type { Tone } from './section.ts'

export interface Style {
  readonly paint: (text: string, tone: Tone) => string
  /** Columns of the terminal, or undefined for a file or pipe. */
  readonly width: number | undefined
}

/** @param level - 0 for no colour, 1 to 3 for more of it. */
export async function createStyle(level: 0 | 1 | 2 | 3, width: number | undefined): Promise<Style> {
  if (level === 0) return { paint: (text) => text, width }
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level })
  const painters: Record<Tone, (text: string) => string> = {
    plain: (text) => text,
    strong: chalk.bold,
    dim: chalk.dim,
    ok: chalk.green,
    error: chalk.red,
    warning: chalk.yellow,
    info: chalk.cyan,
    user: chalk.bold.blue,
    assistant: chalk.bold.green,
    tool: chalk.bold.magenta,
  }
  return { paint: (text, tone) => (text === '' ? text : painters[tone](text)), width }
}
