/**
 * The rules of secretlint, an optional package, which is loaded only when secrets are asked for. Its rules are called as
 * `@secretlint/core` calls them; the core itself keeps a profile of every call in memory, and takes no text in parts.
 */
import type { KnownSecret } from '../../core/redact/known-secret.ts'
import { ToolError } from '../../storage/tool-error.ts'

/** What is used of a rule. */
interface Rule {
  readonly meta: { readonly id: string }
  create(context: RuleContext, options: object): { file?(source: RuleSource): unknown }
}

interface RuleContext {
  createTranslator(messages: object): (messageId: string, data?: object) => Message
  report(found: { readonly message: Message; readonly range: readonly [number, number] }): void
  ignore(): void
}

interface Message {
  readonly messageId: string
  readonly message: string
  readonly data: object
}

interface RuleSource {
  readonly content: string
  readonly filePath: undefined
  readonly ext: string
  readonly contentType: 'text'
}

/** Finds the tokens in a text. */
export type TokenRules = (text: string) => readonly KnownSecret[]

/**
 * Rules that are left out: two that take the whole URL for the secret and know few passwords, for which we have rules
 * of our own; one that opens files; and one by which a text can ask not to be searched.
 */
const LEFT_OUT = /-(?:basicauth|database-connection-string|gcp|filter-comments)$/

/** How the mark of a rule calls what it finds, where that is not the name of the rule and `token`. */
const KIND_OF_RULE: Readonly<Record<string, string>> = {
  aws: 'aws-secret-key',
  privatekey: 'private-key',
  openai: 'openai-key',
  anthropic: 'anthropic-key',
  groq: 'groq-key',
  sendgrid: 'sendgrid-key',
  shopify: 'shopify-key',
  'hashicorp-vault': 'vault-token',
}

export async function loadTokenRules(
  load: () => Promise<object> = () => import('@secretlint/secretlint-rule-preset-recommend'),
): Promise<TokenRules> {
  const { rules } = (await loaded(load)) as { readonly rules: readonly Rule[] }
  const used = rules.flatMap((rule) => {
    const kind = kindOf(rule.meta.id)
    return kind === undefined ? [] : [prepared(rule, kind)]
  })
  return (text) => {
    const source: RuleSource = { content: text, filePath: undefined, ext: '', contentType: 'text' }
    return used.flatMap((find) => find(source))
  }
}

async function loaded(load: () => Promise<object>): Promise<object> {
  try {
    return await load()
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing) throw error
    throw new ToolError(
      'unsupported',
      'secrets are recognised with the optional package @secretlint/secretlint-rule-preset-recommend, which is not installed',
      'Run "npm install @secretlint/secretlint-rule-preset-recommend@12.0" where resurface is installed.',
    )
  }
}

/** The kind of what a rule finds; `undefined` for a rule that is left out. */
export function kindOf(rule: string): string | undefined {
  const name = rule.replace(/^.*-rule-/, '')
  return LEFT_OUT.test(rule) ? undefined : (KIND_OF_RULE[name] ?? `${name}-token`)
}

function prepared({ create }: Rule, kind: string): (source: RuleSource) => readonly KnownSecret[] {
  let found: KnownSecret[] = []
  let text = ''
  const context: RuleContext = {
    createTranslator:
      () =>
      (messageId, data = {}) => ({ messageId, message: '', data }),
    // The range of some rules begins before the secret and ends within it; what they quote is the secret.
    report: ({ message }) => {
      const find = Object.values(message.data)
        .filter((value) => typeof value === 'string' && text.includes(value))
        .toSorted((left, right) => right.length - left.length)[0] as string | undefined
      const cut = kind === 'private-key' ? find : find?.match(/^[^\s"'\\]+/)?.[0]
      if (cut !== undefined) found.push({ kind, find: cut })
    },
    ignore: () => {},
  }
  const { file } = create(context, {})
  return (source) => {
    found = []
    text = source.content
    file?.(source)
    text = ''
    return found
  }
}
