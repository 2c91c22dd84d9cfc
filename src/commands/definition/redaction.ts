/** The options by which secrets are replaced, the same wherever a log is shown or copied. */
import type { NamedSources } from '../../load/redact/named-secrets.ts'
import type { RedactionOptions } from '../../load/redact/redacted-source.ts'
import type { CommandContext } from './command.ts'
import { flag, list, type ValuesOf } from './option.ts'
import { parseList } from './option-values.ts'

export const NAMED_SECRETS = {
  secretsEnv: list(
    '<names>',
    parseList,
    'values of these environment variables are secrets, too; separated by commas',
  ),
  secretsFrom: list(
    '<file>',
    String,
    'lines of this file are secrets, too, and values of its lines NAME=VALUE; may be repeated',
    { file: 'read' },
  ),
}

export const REDACTION = {
  redact: flag('show marks such as [redacted:github-token:1] in the place of secrets (docs/redact.md)'),
  ...NAMED_SECRETS,
}

/** The same context, in which logs are read with marks in the place of secrets where that was asked for. */
export async function redacting(
  context: CommandContext,
  { redact, ...named }: ValuesOf<typeof REDACTION>,
): Promise<CommandContext> {
  if (!redact && named.secretsEnv.length === 0 && named.secretsFrom.length === 0) return context
  const options = await redactionOptions(context, named)
  const { redactedLog } = await import('../../load/redact/redacted-source.ts')
  return { ...context, redact: (source, names) => redactedLog(source, options, names) }
}

export async function redactionOptions(
  { env = {} }: CommandContext,
  { secretsEnv, secretsFrom }: ValuesOf<typeof NAMED_SECRETS>,
): Promise<RedactionOptions> {
  const { loadTokenRules } = await import('../../load/redact/token-rules.ts')
  const { namedSecrets } = await import('../../load/redact/named-secrets.ts')
  const sources: NamedSources = { variables: secretsEnv.flat(), files: secretsFrom, env }
  return { named: namedSecrets(sources), rules: await loadTokenRules() }
}
