/** A copy of a log with marks in the place of its secrets, which is searched again before it gets its name. */

import { KnownSecrets } from '../../core/redact/known-secrets.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import { ToolError } from '../../storage/tool-error.ts'
import { copiedLines } from '../anonymize/copied-lines.ts'
import { type AlikeCopy, type CopyToWrite, writeAlike } from '../anonymize/write-alike.ts'
import type { OpenedInput } from '../inputs/open-input.ts'
import type { Base64Left } from './find-secrets.ts'
import { type MarkCount, MarkTally } from './mark-tally.ts'
import { readRecords } from './read-records.ts'
import { type RedactionOptions, redactedLog } from './redacted-source.ts'
import type { TokenRules } from './token-rules.ts'

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

/**
 * The search of a copy before it gets its name: for what the rules recognise in it now, and for every secret that was
 * known of the log. A value that the user named must not be there at all, even as a number or a word of the format.
 */
async function secretsLeft(
  copy: RecordSource,
  rules: TokenRules,
  known: KnownSecrets,
): Promise<readonly MarkCount[]> {
  const left = new MarkTally()
  const searched = await redactedLog(
    copy,
    { rules, named: [...known.values()] },
    [],
    (record, secret, member) => left.add(record, secret, member, searched.redact),
  )
  for await (const _ of searched.source.items());
  const named = new KnownSecrets()
  for (const secret of known.values()) if (secret.isNamed) named.add(secret)
  if (left.counts().length > 0 || named.isEmpty) return left.counts()
  for await (const record of readRecords(copy))
    for (const { secret } of named.hitsIn(record.text)) left.add(record, secret, undefined, (text) => text)
  return left.counts()
}
