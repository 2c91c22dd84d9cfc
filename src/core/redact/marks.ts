/**
 * What stands for a secret: `[redacted:github-token:1]`. Blanks, quotes and backslashes would not do in paths, URLs and
 * JSON inside of strings.
 */

/** Kinds of what is recognised. What the user named has the name that it was given. */
export const KINDS: readonly string[] = [
  ...['private-key', 'api-key', 'stripe-key', 'google-api-key', 'aws-access-key-id', 'json-web-token'],
  ...['authorization', 'url-password', 'url-token', 'password', 'named-secret'],
  ...['mail-address', 'home-folder', 'user-name'],
  ...[
    'aws-secret-key',
    'openai-key',
    'anthropic-key',
    'groq-key',
    'sendgrid-key',
    'shopify-key',
    'vault-token',
  ],
  ...[
    '1password',
    'databricks',
    'docker',
    'figma',
    'github',
    'gitlab',
    'grafana',
    'huggingface',
    'linear',
  ].map(tokenOf),
  ...['notion', 'npm', 'slack', 'vercel'].map(tokenOf),
]

function tokenOf(rule: string): string {
  return `${rule}-token`
}

/** Only what could be set here is taken for a mark: a log may have the same around anything. */
const MARK = `\\[redacted:(?:${KINDS.join('|')}):[1-9]\\d{0,8}\\]`
const IN_TEXT = new RegExp(MARK)
const ALL_IN_TEXT = new RegExp(MARK, 'g')

export function markFor(kind: string, number: number): string {
  return `[redacted:${kind}:${number}]`
}

export function hasMark(text: string): boolean {
  return IN_TEXT.test(text)
}

/** Where marks are. */
export function marksIn(text: string): readonly (readonly [start: number, end: number])[] {
  if (!text.includes('[redacted:')) return []
  return [...text.matchAll(ALL_IN_TEXT)].map(({ 0: mark, index }) => [index, index + mark.length] as const)
}
