/** A copy of a log with marks in the place of its secrets, which is searched again before it gets its name. */
import { ToolError } from '../../storage/tool-error.ts'
import { copiedLines } from '../anonymize/copied-lines.ts'
import { type AlikeCopy, type CopyToWrite, writeAlike } from '../anonymize/write-alike.ts'
import type { OpenedInput } from '../inputs/open-input.ts'
import type { Base64Left } from './find-secrets.ts'
import { type MarkCount, MarkTally } from './mark-tally.ts'
import { type RedactionOptions, redactedLog } from './redacted-source.ts'
import { secretsLeft } from './secrets-left.ts'

export interface RedactedCopy extends AlikeCopy {
  readonly secrets: readonly MarkCount[]
  readonly base64: Base64Left
}

export async function redactedCopy(
  input: OpenedInput,
  target: Pick<CopyToWrite, 'output' | 'container'>,
  options: RedactionOptions,
  context: Parameters<typeof writeAlike>[2],
): Promise<RedactedCopy> {
  const tally = new MarkTally()
  const { source, known, base64, redact } = await redactedLog(
    input.source,
    options,
    [],
    (record, secret, member) => tally.add(record, secret, member, redact),
  )
  const alike = await writeAlike(
    input,
    {
      ...target,
      lines: (faults) => copiedLines(source, faults),
      verify: async (copy) => mustBeNone(await secretsLeft(copy, options.rules, known)),
    },
    context,
  )
  return { ...alike, secrets: tally.counts(), base64 }
}

function mustBeNone(left: readonly MarkCount[]): void {
  const [first] = left
  if (first === undefined) return
  const { line, seq, member } = first.places[0] ?? { line: 0 }
  const at = seq === undefined ? `line ${line}` : `line ${line}, seq ${seq}`
  throw new ToolError(
    'refused',
    `the copy would still have a secret (${first.kind}) in ${at}${member === undefined ? '' : `, ${member}`}`,
    'Nothing was written. It is in a place that cannot be changed, such as a number or a word of the format.',
  )
}
