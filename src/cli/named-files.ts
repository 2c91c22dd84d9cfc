/** The files that options name, to be read or to be written. */
import type { Options } from '../commands/definition/option.ts'
import type { ReportFile } from '../commands/definition/option-values.ts'
import { linkTarget } from '../storage/link-target.ts'
import { isRegularFile } from '../storage/output-guard.ts'

export interface NamedFiles {
  readonly read: readonly string[]
  readonly written: readonly string[]
}

/** @param given - values by name, as far as options were given. */
export function namedFiles(options: Options, given: Readonly<Record<string, unknown>>): NamedFiles {
  const ofUse = (use: 'read' | 'written'): readonly string[] =>
    Object.entries(options)
      .filter(([, { file }]) => file === use)
      .flatMap(([name]) => (given[name] ?? []) as string | readonly (string | ReportFile)[])
      .map((value) => (typeof value === 'string' ? value : value.file))
      .filter((path) => path !== '-')
  return { read: ofUse('read'), written: ofUse('written') }
}

/** Real paths of the files that are there. What a pipe or a terminal had is read once and cannot be lost. */
export async function realPaths(files: readonly string[]): Promise<readonly string[]> {
  const real: string[] = []
  for (const file of files) if (await isRegularFile(file)) real.push(await linkTarget(file))
  return real
}
