/**
 * What a collection of rules for tokens does not know: who the user is (mail addresses, home folders, user names), keys
 * that are written as a block, passwords in URLs, and values that a name next to them calls a secret. A value that says
 * little by itself, such as a short password, is found again only where its surroundings are the same.
 *
 * Every pattern begins at a fixed text or at the edge of a word, and every repetition is bounded: a text of any length
 * is searched in linear time.
 */
import type { KnownSecret } from './known-secret.ts'
import { hasMark } from './marks.ts'

export function* recognised(text: string): Iterable<KnownSecret> {
  yield* privateKeys(text)
  yield* tokens(text)
  yield* urlCredentials(text)
  yield* assignedValues(text)
  yield* mailAddresses(text)
  yield* homeFolders(text)
  yield* prompts(text)
}

// Private keys -------------------------------------------------------------------------------------------------------

const KEY_BEGIN = /-----BEGIN ?(?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
const KEY_END = /-----END ?(?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const LONGEST_KEY = 20_000
/** What is left of a block that is cut off: its full lines, and the beginning of another. */
const CUT_KEY = /(?:\s|\\+[nrt])*(?:[A-Za-z0-9+/=]{40,100}(?:\s|\\+[nrt])*){0,400}[A-Za-z0-9+/=]{0,100}/y
const LEAST_OF_KEY = 16

function* privateKeys(text: string): Iterable<KnownSecret> {
  for (const { 0: begin, index } of text.matchAll(KEY_BEGIN)) {
    const from = index + begin.length
    const end = keyEnd(text, from) ?? cutKeyEnd(text, from)
    if (end === undefined) continue
    const find = text.slice(index, end)
    yield { kind: 'private-key', find, identity: find.replace(/\s|\\+[nrt]/g, '') }
  }
}

function keyEnd(text: string, from: number): number | undefined {
  const at = text.indexOf('-----', from)
  if (at === -1 || at - from > LONGEST_KEY || /["'`<>{}]/.test(text.slice(from, at))) return undefined
  KEY_END.lastIndex = at
  const [end] = KEY_END.exec(text) ?? []
  return end === undefined ? undefined : at + end.length
}

function cutKeyEnd(text: string, from: number): number | undefined {
  CUT_KEY.lastIndex = from
  const [body = ''] = CUT_KEY.exec(text) ?? []
  return body.trim().length < LEAST_OF_KEY ? undefined : from + body.trimEnd().length
}

// Tokens -------------------------------------------------------------------------------------------------------------

const TOKENS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['api-key', /(?<![A-Za-z0-9_-])sk-(?=[A-Za-z0-9_-]{0,40}[A-Za-z0-9]{16})[A-Za-z0-9_-]{20,300}/g],
  ['stripe-key', /(?<![A-Za-z0-9_])[srp]k_(?:live|test)_[A-Za-z0-9]{16,250}/g],
  ['google-api-key', /(?<![A-Za-z0-9_])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g],
  ['aws-access-key-id', /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g],
  [
    'json-web-token',
    /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,8000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{10,2000}/g,
  ],
]
const BEARER =
  /(?:\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token)|\bbearer)\s{1,3}([A-Za-z0-9._~+/=-]{16,4000})/gi

function* tokens(text: string): Iterable<KnownSecret> {
  for (const [kind, pattern] of TOKENS)
    for (const [find] of text.matchAll(pattern)) if (/\d/.test(find)) yield { kind, find }
  for (const [, find = ''] of text.matchAll(BEARER))
    if (/\d/.test(find)) yield { kind: 'authorization', find: find.replace(/[.~]+$/, '') }
}

// URLs ---------------------------------------------------------------------------------------------------------------

const USER_INFO = /:\/\/([^\s/:@"'`<>()[\]{}\\]{0,256})(?::([^\s/"'`<>()[\]{}\\]{1,256}))?@(?=[A-Za-z0-9])/g
/** What stands for a password in examples and templates. */
const PLACEHOLDER = /^[$%]|^\*+$|^x-oauth-basic$|\.\.\./

function* urlCredentials(text: string): Iterable<KnownSecret> {
  for (const [, user = '', password] of text.matchAll(USER_INFO)) {
    if (password !== undefined && !PLACEHOLDER.test(password)) {
      const find = `:${password}@`
      if (saysEnough(password)) yield { kind: 'url-password', find: password, edge: 'word' }
      else yield { kind: 'url-password', find, part: [1, find.length - 1] }
    }
    if (user.length >= 20 && /\d/.test(user) && /^[\w.~-]+$/.test(user))
      yield { kind: 'url-token', find: user, edge: 'word' }
  }
}

// Values with a name ---------------------------------------------------------------------------------------------------

const NAMED =
  /(passw(?:or)?d|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|credentials?)\d{0,3}["']?\s{0,3}(?::=|=>|[:=])\s{0,3}["']?([^\s"'`,;<>(){}[\]\\]{6,400})(?![([])/gi
const SECRET_NAME =
  /(?:^|[^a-z])(?:passw(?:or)?d|passwd|passphrase|pwd)$|(?:secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|credentials?)$/i
const PASSWORD_NAME = /^(?:pass|pwd)|passw(?:or)?d$|passphrase$|pwd$/i
/** References to a value, and not the value. */
const REFERENCE = /^[$%./]|^(?:https?|file):|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$|\.\.\./
const LEAST_OF_TOKEN = 16

function* assignedValues(text: string): Iterable<KnownSecret> {
  for (const [find, name = '', value = ''] of text.matchAll(NAMED)) {
    const kind = kindOfNamed(name, value)
    if (kind === undefined) continue
    if (saysEnough(value)) yield { kind, find: value, edge: 'word' }
    else yield { kind, find, part: [find.length - value.length, find.length] }
  }
}

/** The value of a member that is called a secret; one that says little is found again only as a whole text. */
export function* namedMember(name: string, value: string): Iterable<KnownSecret> {
  if (value.length < 6 || value.length > 400 || /\s/.test(value) || !SECRET_NAME.test(name)) return
  const kind = kindOfNamed(name, value)
  if (kind !== undefined) yield { kind, find: value, edge: saysEnough(value) ? 'word' : 'whole' }
}

function kindOfNamed(name: string, value: string): string | undefined {
  if (REFERENCE.test(value) || hasMark(value)) return undefined
  if (PASSWORD_NAME.test(name)) return /[^A-Za-z]/.test(value) ? 'password' : undefined
  return value.length >= LEAST_OF_TOKEN && /\d/.test(value) && /[A-Za-z]/.test(value)
    ? 'named-secret'
    : undefined
}

/** Whether a value is one by itself: nothing else in a log is likely to be the same. */
function saysEnough(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length
  return value.length >= 8 && kinds >= 2
}

// Who the user is ------------------------------------------------------------------------------------------------------

const LETTER = 'A-Za-z0-9\\u00aa-\\uffff'
const MAIL = new RegExp(
  `(?<![${LETTER}_.%+\\\\-])[${LETTER}_.%+-]{1,64}@(?:[${LETTER}-]{1,63}\\.){1,8}[A-Za-z\\u00aa-\\uffff]{2,24}(?![${LETTER}-])`,
  'g',
)
/** Names of files such as `icon@2x.png`, and of the user that Git is on a server. */
const NO_MAIL = /^git@|\.(?:png|jpe?g|gif|webp|svg|ico|css|js|ts|json|map|tgz|zip|gz)$/i

/** In a URL, where a password and the name of a host are around the sign. */
const PASSWORD_BEFORE = /:\/\/[^\s/@"']{0,256}:$/

function* mailAddresses(text: string): Iterable<KnownSecret> {
  for (const { 0: find, index } of text.matchAll(MAIL))
    if (!NO_MAIL.test(find) && !PASSWORD_BEFORE.test(text.slice(Math.max(0, index - 300), index)))
      yield { kind: 'mail-address', find }
}

const NAME = `[${LETTER}_][${LETTER}_.+-]{0,62}`
const HOME = new RegExp(
  `(?<!(?<!\\\\)[${LETTER}_.~%-])((?:/(?:var|export|data|mnt/[a-z]|[a-z]|private/var|System/Volumes/Data))?/(?:home|Users)/+|[A-Za-z]:[\\\\/]{1,8}(?:Users|Documents and Settings)[\\\\/]{1,8})(${NAME})`,
  'g',
)
/** A name with blanks ends only where the path goes on. */
const WIDE_HOME = new RegExp(
  `(?<!(?<!\\\\)[${LETTER}])[A-Za-z]:[\\\\/]{1,8}(?:Users|Documents and Settings)[\\\\/]{1,8}([${LETTER}_][${LETTER}_.+ -]{0,62})(?=[\\\\/])`,
  'g',
)
/** Folders next to the homes, which belong to nobody. */
const NO_HOME = /^(?:Shared|Public|Default|All|All Users|Default User|linuxbrew)$/
const PROMPT = new RegExp(`(?<![${LETTER}_.@/:\\\\-])([a-z_][a-z0-9_-]{1,31})@[A-Za-z0-9-]{1,63}:[~/]`, 'g')

function* homeFolders(text: string): Iterable<KnownSecret> {
  for (const pattern of [WIDE_HOME, HOME])
    for (const match of text.matchAll(pattern)) {
      const name = (match.at(-1) as string).replace(/[.-]+$/, '')
      if (name === '' || NO_HOME.test(name)) continue
      const find = match[0].slice(0, match[0].length - (match.at(-1) as string).length + name.length)
      yield { kind: 'home-folder', find, part: [find.length - name.length, find.length], edge: 'folder' }
      yield* userName(name)
    }
}

function* prompts(text: string): Iterable<KnownSecret> {
  for (const [, name = ''] of text.matchAll(PROMPT)) yield* userName(name)
}

/** Names of accounts that are words of their own everywhere; as a folder below the homes they are replaced. */
const ORDINARY = new Set(
  `admin administrator agent alpine ansible app apps assistant backup bash bin bot build builder cache centos ci circleci
  claude code codespace coder com config container daemon data debian default deploy dev developer docker dsh ec2-user
  fedora file files git github gitlab gitpod guest home host http info jenkins jovyan linux local log mail main me
  model mysql name nginx nobody node nobody npm opc oracle org postgres project projects public python root runner
  sandbox server session service src ssh sudo sys system task temp test tester tmp tool tools ubuntu usr user username
  users vagrant var vscode web work worker workspace www www-data you`.split(/\s+/),
)
const LEAST_OF_NAME = 3

function* userName(name: string): Iterable<KnownSecret> {
  if (name.length >= LEAST_OF_NAME && !ORDINARY.has(name.toLowerCase()) && !/^\d+$/.test(name))
    yield { kind: 'user-name', find: name, edge: 'word' }
}
