/** What the exit codes of a command mean: those that all have in common, and what a command says of its own. */
type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 70

/** Meanings that a command gives in place of the common ones. A code that it cannot return is left out. */
export type OwnExitCodes = Partial<Record<0 | 1 | 3 | 4 | 5, string>>

/** For the help of the whole program and the manual page. */
export const EXIT_CODES: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [0, 'the answer was given; check: clean; repair: done and verified; diff: no difference'],
  [
    1,
    'check, and any command with --fail-on: findings at or above it; repair: a plan with steps; diff: a difference; bisect: the event was found; find: nothing was found',
  ],
  [2, 'usage'],
  [3, 'input missing, unreadable, or not a session log'],
  [
    4,
    'intact but not fully checked: newer format, unknown required event, over a limit, changed while reading',
  ],
  [
    5,
    'refused: it cannot be repaired, converted, anonymized or searched safely, or a process is writing to it',
  ],
  [70, 'a bug in resurface'],
]

interface Described {
  readonly exits?: OwnExitCodes
  /** Common options that do something for the command. */
  readonly uses?: readonly string[]
}

export function exitCodesOf({ exits = {}, uses = ['reading'] }: Described): typeof EXIT_CODES {
  const isReading = uses.includes('reading')
  const isJudging = uses.includes('findings')
  const meanings: Partial<Record<ExitCode, string>> = {
    0: 'the answer was given, whatever the log is like',
    ...(!isReading && { 0: 'the answer was given' }),
    ...(isJudging && { 1: 'with --fail-on: findings at or above it' }),
    2: 'usage',
    ...(isReading && {
      3: 'input missing, unreadable, or not a session log',
      4: 'over a limit, or changed while it was read',
    }),
    ...(isJudging && { 4: `with --fail-on: ${NOT_CHECKED}` }),
    70: 'a bug in resurface',
    ...exits,
  }
  return Object.entries(meanings).map(([code, meaning]) => [Number(code) as ExitCode, meaning] as const)
}

export const NOT_CHECKED =
  'intact but not fully checked: newer format, unknown required event, over a limit, changed while reading'
