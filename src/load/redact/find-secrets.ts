/**
 * The first reading of a log that is to be redacted: which secrets it has. Texts are searched many at a time, because
 * only what a secret says matters here and not where it is: that is found when the record is rewritten.
 */
import type { JsonValue } from '../../core/json/json-value.ts'
import { base64Runs, withoutRuns } from '../../core/redact/base64-runs.ts'
import type { KnownSecrets } from '../../core/redact/known-secrets.ts'
import { namedMember, recognised } from '../../core/redact/own-recognition.ts'
import { RowStrings } from '../../core/redact/row-strings.ts'
import { deltasOf, streamsOf } from '../../core/redact/streamed-pieces.ts'
import { viewsOf } from '../../core/redact/text-views.ts'
import type { RecordSource } from '../../storage/record-source.ts'
import { type ReadRecord, readRecords } from './read-records.ts'
import { StreamedTexts } from './streamed-texts.ts'
import type { TokenRules } from './token-rules.ts'

/** What was not looked into. */
export interface Base64Left {
  readonly runs: number
  readonly characters: number
}

const BATCH_UNITS = 256 * 1024
/** Shorter texts hold no secret that could be told from another text. */
const LEAST = 5

/**
 * Adds what it finds to `known`.
 *
 * @param others - texts that are shown with the log, such as its path.
 */
export async function findSecrets(
  source: RecordSource,
  rules: TokenRules,
  known: KnownSecrets,
  others: readonly string[] = [],
): Promise<{ readonly base64: Base64Left; readonly hasDeltas: boolean }> {
  const search = new Search(rules, known)
  const streams = new StreamedTexts((texts) => search.take(texts.join('')))
  let hasDeltas = false
  for await (const record of readRecords(source)) {
    const { text, row } = record
    if (row === undefined) search.take(text)
    else searchRow(text, row, search)
    hasDeltas = streams.take(record) || hasDeltas
  }
  streams.end()
  for (const text of others) search.take(text)
  search.flush()
  return { base64: search.base64, hasDeltas }
}

function searchRow(text: ReadRecord['text'], row: JsonValue, search: Search): void {
  const { streams } = streamsOf(row)
  const isStreamed = streams.size > 0 || deltasOf(row) !== undefined
  for (const string of new RowStrings(text, row)) {
    const { value, isName } = string
    if (string.isConstant || (isStreamed && string.isPiece)) continue
    search.take(value)
    if (!isName) search.takeMember(string.member, value)
  }
  for (const texts of streams.values()) search.take(texts.join(''))
}

class Search {
  base64: Base64Left = { runs: 0, characters: 0 }
  readonly #rules: TokenRules
  readonly #known: KnownSecrets
  readonly #batch: string[] = []
  #units = 0

  constructor(rules: TokenRules, known: KnownSecrets) {
    this.#rules = rules
    this.#known = known
  }

  take(text: string): void {
    if (text.length < LEAST) return
    const runs = base64Runs(text)
    for (const [start, end] of runs)
      this.base64 = { runs: this.base64.runs + 1, characters: this.base64.characters + end - start }
    for (const view of viewsOf(withoutRuns(text, runs))) {
      this.#batch.push(view.text)
      this.#units += view.text.length
    }
    if (this.#units >= BATCH_UNITS) this.flush()
  }

  takeMember(name: string, value: string): void {
    for (const secret of namedMember(name, value)) this.#known.add(secret)
  }

  flush(): void {
    const text = this.#batch.join(BETWEEN)
    this.#batch.length = 0
    this.#units = 0
    for (const part of windowsOf(text))
      for (const secret of [...this.#rules(part), ...recognised(part)]) this.#known.add(secret)
  }
}

/** A pattern that repeats runs out of stack in a text of many megabytes. What is longer than the overlap is no secret. */
const WINDOW = 1024 * 1024
const OVERLAP = 32 * 1024

function* windowsOf(text: string): Iterable<string> {
  for (let at = 0; at === 0 || at + OVERLAP < text.length; at += WINDOW - OVERLAP)
    yield text.length <= WINDOW ? text : text.slice(at, at + WINDOW)
}

/** No rule takes it for a part of a secret. */
const BETWEEN = '\n"\n'
