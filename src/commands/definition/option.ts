/**
 * Options of commands. Each is declared once, under the name of its value: `maxMessages` is `--max-messages`. From the
 * declaration come the help, the completions, the manual page, and the type of what the command is given.
 */
export interface Option<Value> {
  readonly description: string
  /** The argument as the help names it, such as `<n>`; a flag has none. */
  readonly argument?: string
  /** Turns the text of the argument into its value, or throws a usage error. */
  readonly parse?: (text: string) => unknown
  readonly choices?: readonly string[]
  /** The choice that another text means, if it means one. */
  readonly alias?: (text: string) => string | undefined
  /** What else is taken for a choice, in words. */
  readonly aliases?: string
  /** The value where the option is not given. */
  readonly default?: Value
  /** How the help names the default, where its value says little. */
  readonly defaultText?: string
  /** It may be given several times, and its value is a list. */
  readonly repeats?: true
  /** The flag turns something off: `--no-NAME`. */
  readonly negated?: true
  readonly letter?: string
  /** It is taken, but does nothing here, so no help names it. */
  readonly isHidden?: true
  /** The flag is short for `--format` with this format. */
  readonly format?: string
  /** Names of options that say something else about the same. */
  readonly conflicts?: readonly string[]
  /** The option names a file that is read, or one that is written. */
  readonly file?: 'read' | 'written'
}

export type Options = Readonly<Record<string, Option<unknown>>>

/** What a command is given for the options that it declares. */
export type ValuesOf<Declared> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Option<infer Value> ? Value : never
}

/** True when it is given. */
export function flag(
  description: string,
  more: Pick<Option<boolean>, 'letter' | 'format' | 'conflicts'> = {},
): Option<boolean> {
  return { description, ...more }
}

/** `--no-NAME`: false when it is given. */
export function unless(description: string): Option<boolean> {
  return { description, negated: true }
}

/** An argument as it was typed. */
export function text(
  argument: string,
  description: string,
  more: Pick<Option<string>, 'letter' | 'file'> = {},
): Option<string | undefined> {
  return { argument, description, ...more }
}

export function choice<const Choice extends string>(
  argument: string,
  choices: readonly Choice[],
  description: string,
): Option<Choice | undefined> {
  return { argument, choices, description }
}

export function value<Value>(
  argument: string,
  parse: (text: string) => Value,
  description: string,
): Option<Value | undefined> {
  return { argument, parse, description }
}

/** All arguments of an option that may be given several times. */
export function list<Item>(
  argument: string,
  parse: (text: string) => Item,
  description: string,
  more: Pick<Option<Item>, 'file'> = {},
): Option<readonly Item[]> {
  return { argument, parse, description, repeats: true, ...more }
}

/** The same option, with a value for when it is not given. */
export function withDefault<Value>(
  option: Option<Value | undefined>,
  preset: Value,
  defaultText?: string,
): Option<Value> {
  return { ...(option as Option<Value>), default: preset, ...(defaultText !== undefined && { defaultText }) }
}

/** `-o, --output <file>` */
export function flagsOf(name: string, { letter, negated, argument }: Option<unknown>): string {
  const long = `--${negated === true ? 'no-' : ''}${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`
  return `${letter === undefined ? '' : `-${letter}, `}${long}${argument === undefined ? '' : ` ${argument}`}`
}

/** @param given - values by name, as far as options were given; each has been parsed by its declaration. */
export function valuesOf<Declared extends Options>(
  declared: Declared,
  given: Readonly<Record<string, unknown>>,
): ValuesOf<Declared> {
  const values = Object.entries(declared).map(([name, option]) => {
    const { argument, repeats, negated } = option
    const absent = repeats === true ? [] : argument === undefined ? negated === true : option.default
    return [name, given[name] ?? absent]
  })
  return Object.fromEntries(values) as ValuesOf<Declared>
}
