/**
 * The search of a copy before it gets its name: for what the rules recognise in it now, and for every secret that was
 * known of the log. A value that the user named must not be there at all, even as a number or a word of the format.
 */
import { KnownSecrets } from '../../core/redact/known-secrets.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import { type MarkCount, MarkTally } from './mark-tally.ts'
import { readRecords } from './read-records.ts'
import { redactedLog } from './redacted-source.ts'
import type { TokenRules } from './token-rules.ts'

export async function secretsLeft(
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
