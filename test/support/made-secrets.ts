/**
 * Secrets that never were any, one of each kind that is to be found, and of kinds that are not. They are put together
 * from parts, so that no scanner of repositories takes this file for a leak.
 */
const LETTERS = 'aB3dE5gH7jK9mN2pQ4sT6vW8yZ1cF0xR'

/** So many letters and digits, the same for the same beginning. */
function made(length: number, from = 0): string {
  let text = ''
  for (let at = 0; at < length; at++) text += LETTERS[(at * 7 + from) % LETTERS.length]
  return text
}

const hex = (length: number): string => '0a1b2c3d4e5f6789'.repeat(Math.ceil(length / 16)).slice(0, length)
const joined = (...parts: readonly string[]): string => parts.join('')

function keyBlock(kind: string, first: string): string {
  const lines = [
    joined(first, made(64 - first.length)),
    made(64, 3),
    made(64, 5),
    made(64, 9),
    `${made(30, 1)}==`,
  ]
  return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`].join('\n')
}

const PRIVATE = joined('PRIV', 'ATE KEY')

export interface MadeSecret {
  /** The secret alone, as nothing of it may stay. */
  readonly secret: string
  /** A text that has it. */
  readonly text: string
  /** What its mark says. */
  readonly kind: string
}

function alone(kind: string, ...parts: readonly string[]): MadeSecret {
  const secret = joined(...parts)
  return { kind, secret, text: secret }
}

function within(kind: string, secret: string, text: (secret: string) => string): MadeSecret {
  return { kind, secret, text: text(secret) }
}

/** By what a reader of the documents would call them. */
export const MADE_SECRETS: Readonly<Record<string, MadeSecret>> = {
  'GitHub token': alone('github-token', 'gh', 'p_', made(36)),
  'GitHub fine-grained token': alone('github-token', 'github', '_pat_', made(22), '_', made(59)),
  'GitLab token': alone('gitlab-token', 'gl', 'pat-', made(20)),
  'npm token': alone('npm-token', 'np', 'm_', made(36)),
  'Slack token': alone('slack-token', 'xo', 'xb-', '123456789012-', '1234567890123-', made(24)),
  'Slack webhook': alone(
    'slack-token',
    'https://hooks.sl',
    'ack.com/services/T',
    made(10),
    '/B',
    made(10),
    '/',
    made(24),
  ),
  'AWS access key id': alone('aws-access-key-id', 'AK', 'IA', '7QWERTZUIOP2ASDF'),
  'AWS secret access key': within(
    'aws-secret-key',
    `${made(19)}/${made(20, 4)}`,
    (key) => `aws_secret_${'access'}_key = ${key}`,
  ),
  'OpenAI key': alone('openai-key', 's', 'k-', made(20), 'T3Blb', 'kFJ', made(20, 3)),
  'Anthropic key': alone('anthropic-key', 's', 'k-ant-', 'api03-', made(93), 'AA'),
  'DeepSeek key': alone('api-key', 's', 'k-', hex(32)),
  'Google API key': alone('google-api-key', 'AI', 'za', made(35)),
  'Stripe key': alone('stripe-key', 's', 'k_', 'live_', made(24)),
  'Groq key': alone('groq-key', 'gs', 'k_', made(52)),
  'Hugging Face token': alone('huggingface-token', 'h', 'f_', made(80).replace(/\d/g, '').slice(0, 34)),
  'Linear token': alone('linear-token', 'lin', '_api_', made(40)),
  'Notion token': alone('notion-token', 'nt', 'n_', '12345678901', made(35)),
  'SendGrid key': alone('sendgrid-key', 'S', 'G.', made(22), '.', made(43)),
  'Shopify token': alone('shopify-key', 'shp', 'at_', hex(32)),
  'Grafana token': alone('grafana-token', 'gl', 'sa_', made(32), '_', hex(8)),
  'Vault token': alone('vault-token', 'hv', 's.', made(95)),
  'Vercel token': alone('vercel-token', 'vc', 'p_', made(40)),
  'Databricks token': alone('databricks-token', 'da', 'pi', hex(32)),
  'Docker token': alone('docker-token', 'dckr', '_pat_', made(27)),
  'Figma token': alone('figma-token', 'fi', 'gd_', made(43)),
  'JSON Web Token': alone('json-web-token', 'ey', `Jh${made(20)}`, '.ey', `Js${made(30)}`, '.', made(43)),
  'bearer token': within('authorization', made(40, 4), (token) => `curl -H 'Authorization: Bearer ${token}'`),
  'RSA private key': alone('private-key', keyBlock(`RSA ${PRIVATE}`, 'MIIEow')),
  'OpenSSH private key': alone('private-key', keyBlock(`OPENSSH ${PRIVATE}`, 'b3BlbnNzaC1rZXktdjE')),
  'encrypted private key': alone('private-key', keyBlock(`ENCRYPTED ${PRIVATE}`, 'MIIFHD')),
  'PGP private key': alone('private-key', keyBlock(`PGP ${PRIVATE} BLOCK`, 'lQOYBF')),
  'password in a URL': within(
    'url-password',
    'x7hunter',
    (password) => `git clone https://eve:${password}@git.example.org/a.git`,
  ),
  'password of a database URL': within(
    'url-password',
    'p%40ss!w0rd',
    (password) => `postgres://app:${password}@localhost/prod`,
  ),
  'password with a name': within('password', 'Tr0ub4dor&3', (password) => `DB_PASSWORD=${password}`),
  'secret with a name': within('named-secret', made(24, 6), (secret) => `client_secret: ${secret}`),
  'mail address': alone('mail-address', 'mallory.smith', '@', 'mail.example.org'),
  'home folder': within('home-folder', 'mallory', (name) => `/home/${name}/project/main.ts`),
  'home folder on macOS': within('home-folder', 'mallory', (name) => `/Users/${name}/project`),
  'home folder on Windows': within('home-folder', 'mallory', (name) => `C:\\Users\\${name}\\project`),
}

/** What looks like nothing, or is out of reach: it stays, and the documents say so. */
export const NOT_FOUND: Readonly<Record<string, MadeSecret>> = {
  'token in base64': within(
    '',
    Buffer.from(joined('gh', 'p_', made(36))).toString('base64'),
    (text) => `echo ${text}`,
  ),
  'password in a sentence': within('', 'correct-horse', (password) => `the password is ${password}`),
  'token without a known form': within('', made(32, 8), (token) => `use ${token} for it`),
  'name of a person': alone('', 'Mallory', ' ', 'Smith'),
  'phone number': alone('', '+49 ', '30 1234567'),
  'name of a host': alone('', 'build7.', 'internal'),
}
