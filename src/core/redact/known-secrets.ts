/**
 * All secrets of a log: the mark of each, and where a text has one. Equal secrets have equal marks, and secrets that
 * differ have marks that differ, so that names that were different stay different.
 */
import { base64Runs } from './base64-runs.ts'
import { type KnownSecret, replacedPart } from './known-secret.ts'
import { hasMark, markFor, marksIn } from './marks.ts'
import { TextFinder } from './text-finder.ts'
import { viewsOf } from './text-views.ts'

/** A part of a text, and the secret that it belongs to. */
export interface Hit {
  readonly start: number
  readonly end: number
  readonly secret: Marked
}

export interface Marked extends KnownSecret {
  readonly mark: string
}

const LEAST = 3
/** Texts of this length are told from each other by more of their beginning. */
const LONG = 8

export class KnownSecrets {
  readonly #secrets = new Map<string, Marked>()
  readonly #short = new TextFinder<Marked>(LEAST)
  readonly #long = new TextFinder<Marked>(LONG)
  readonly #numbers = new Map<string, Map<string, number>>()

  /** @returns whether it is new. */
  add(secret: KnownSecret): boolean {
    const { edge = '' } = secret
    if (secret.find.length < LEAST || hasMark(replacedPart(secret))) return false
    if (this.#secrets.has(`${edge}\0${secret.find}`)) return false
    const kept = { ...secret, find: copyOf(secret.find) }
    this.#keep({ ...kept, mark: this.#markOf(kept) })
    return true
  }

  #keep(marked: Marked): void {
    const { edge = '', find } = marked
    this.#secrets.set(copyOf(`${edge}\0${find}`), marked)
    if (find.length < LONG) this.#short.add(marked)
    else this.#long.add(marked)
  }

  get isEmpty(): boolean {
    return this.#secrets.size === 0
  }

  /** The same, as they are in a text that has a unit for every byte of UTF-8. */
  inBytes(): KnownSecrets {
    const inBytes = new KnownSecrets()
    for (const { mark, find, part, ...secret } of this.#secrets.values()) {
      const [start, end] = part ?? [0, find.length]
      const ends = [start, end].map((at) => bytesOf(find.slice(0, at)).length) as [number, number]
      inBytes.#keep({ ...secret, find: bytesOf(find), part: ends, mark })
    }
    return inBytes
  }

  values(): Iterable<Marked> {
    return this.#secrets.values()
  }

  /** The places of secrets in a text, escapes resolved or not, in its order; none overlaps another. */
  hitsIn(text: string): readonly Hit[] {
    if (this.isEmpty) return []
    const hits: Hit[] = []
    for (const view of viewsOf(text))
      for (const { start, end, secret } of this.#plainHits(view.text))
        hits.push({ start: view.offsetOf(start), end: view.offsetOf(end), secret })
    return hits.length < 2 ? hits : apart(hits)
  }

  /** Whether a text may have a secret: `false` is certain, also for each part of the text by itself. */
  mayHave(text: string): boolean {
    for (const view of viewsOf(text))
      for (const finder of [this.#long, this.#short]) if (finder.has(view.text)) return true
    return false
  }

  #plainHits(text: string): readonly Hit[] {
    const hits: Hit[] = []
    for (const finder of [this.#long, this.#short])
      for (const { start: at, item: secret } of finder.findIn(text, (one, at) => isAt(text, at, one))) {
        const [start, end] = secret.part ?? [0, secret.find.length]
        hits.push({ start: at + start, end: at + end, secret })
      }
    if (hits.length === 0) return hits
    const runs = base64Runs(text)
    const marks = marksIn(text)
    const isJson = JSON_BEGINS.test(text)
    return hits.filter(
      ({ start, end, secret }) =>
        !(isJson && (isInEscape(text, start) || isInEscape(text, end))) &&
        (secret.isNamed === true || !runs.some(([from, to]) => start < to && end > from)) &&
        !marks.some(([from, to]) => start < to && end > from),
    )
  }

  #markOf(secret: KnownSecret): string {
    const { kind, identity = replacedPart(secret) } = secret
    // A user is the same one in a path and in a text.
    const family = kind === 'home-folder' ? 'user-name' : kind
    const numbers = this.#numbers.get(family) ?? new Map<string, number>()
    this.#numbers.set(family, numbers)
    const number = numbers.get(identity) ?? numbers.size + 1
    numbers.set(copyOf(identity), number)
    return markFor(kind, number)
  }
}

/** A part of a string holds on to the whole of it, which may be a record of many megabytes. */
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}

const JSON_BEGINS = /^\s{0,8}[[{"]/

const ESCAPED = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/

/** In JSON, the `n` of `\n` is no letter of a word. */
function isInEscape(text: string, at: number): boolean {
  if (text[at - 1] !== '\\' || !ESCAPED.test(text.slice(at, at + 5))) return false
  let start = at
  while (text[start - 1] === '\\') start--
  return (at - start) % 2 === 1
}

function bytesOf(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}

const WORD = /[A-Za-z0-9\u00aa-\uffff]/

function isAt(text: string, at: number, { find, edge }: KnownSecret): boolean {
  const end = at + find.length
  if (edge === undefined) return true
  if (edge === 'whole') return at === 0 && end === text.length
  const after = text[end] ?? ''
  if (edge === 'folder')
    return !WORD.test(after) && !/^[.+-]*[A-Za-z0-9_\u00aa-\uffff]/.test(text.slice(end, end + 8))
  return !WORD.test(after) && !WORD.test(text[at - 1] ?? '')
}

/** Hits that overlap are one, with the mark of the first and longest. */
function apart(hits: Hit[]): readonly Hit[] {
  hits.sort((left, right) => left.start - right.start || right.end - left.end)
  const result: Hit[] = []
  for (const hit of hits) {
    const before = result.at(-1)
    if (before === undefined || hit.start >= before.end) result.push(hit)
    else if (hit.end > before.end) result[result.length - 1] = { ...before, end: hit.end }
  }
  return result
}
