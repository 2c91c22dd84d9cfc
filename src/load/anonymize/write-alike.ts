/** Writes a copy that gets its name only when it has the findings, classes and repair plan that the log has. */
import type { FindingCode } from '../../core/findings/rules.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import { ToolError } from '../../storage/tool-error.ts'
import { writeFileWhole } from '../../storage/write-file.ts'
import type { OpenedInput, OpenOptions } from '../inputs/open-input.ts'
import { withWritten, writeCopy } from '../outputs/writing.ts'
import type { CopiedDamage, CopiedLine } from './copied-lines.ts'
import { type Diagnosis, diagnose, differences } from './diagnosis.ts'
import { writeCopiedLog } from './write-copied-log.ts'

export interface CopyToWrite {
  readonly output: string
  readonly container: 'jsonl' | 'zstd'
  /** @param faults - is to be given the codes of what is wrong with the container. */
  readonly lines: (faults: Set<FindingCode>) => AsyncIterable<CopiedLine | CopiedDamage>
  /** Looks at what was written; throwing leaves no file. */
  readonly verify?: (copy: RecordSource) => Promise<void>
}

export interface AlikeCopy {
  readonly same: Diagnosis['counts']
  /** What is wrong with the container of the log and not with that of the copy. */
  readonly lacks: readonly FindingCode[]
}

type Context = Pick<OpenOptions, 'limits' | 'stdin' | 'progress'> & { readonly opened: ReadonlySet<string> }

export async function writeAlike(
  input: OpenedInput,
  { output, container, lines, verify }: CopyToWrite,
  context: Context,
): Promise<AlikeCopy> {
  const hasLines = input.session === undefined
  const of = ({ source, file }: OpenedInput, without?: ReadonlySet<FindingCode>) =>
    diagnose(source, file, context.limits, hasLines, without)
  const faults = new Set<FindingCode>()
  let same = await of(input)
  let lacks: ReadonlySet<FindingCode> = new Set()
  await writeCopy(output, context, () =>
    writeFileWhole(
      output,
      (target) => writeCopiedLog(target, lines(faults), container),
      (written) =>
        withWritten(written, context, async (copy) => {
          await verify?.(copy.source)
          const after = await of(copy)
          if (differences(same, after).length === 0) return
          lacks = new Set([...faults].filter((code) => !after.codes.has(code)))
          if (lacks.size > 0) same = await of(input, lacks)
          mustBeAlike(same, lacks.size > 0 ? await of(copy, lacks) : after, input)
        }),
    ),
  )
  return { same: same.counts, lacks: [...lacks].toSorted() }
}

function mustBeAlike(before: Diagnosis, after: Diagnosis, { container }: OpenedInput): void {
  const changed = differences(before, after)
  if (changed.length === 0) return
  throw new ToolError(
    'refused',
    `the copy would not be the same case: ${changed.join('; ')}`,
    container === 'sqlite'
      ? 'Nothing was written. What is wrong with a database goes when it is converted: "resurface convert" first.'
      : 'Nothing was written.',
  )
}
