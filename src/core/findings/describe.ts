/** The one place where a finding becomes a sentence. Evidence from the log is cut: a sentence is not a dump. */
import { type JsonObject, type JsonValue, wordOf } from '../json/json-value.ts'
import type { Finding } from './finding.ts'
import { shortened } from './grammar.ts'
import type { EvidenceKind, EvidenceKinds, Worded, WordTable } from './rule.ts'
import { ruleOf } from './rules.ts'

const LONGEST_TEXT = 120
const LONGEST_VALUE = 60
const MOST_ENTRIES = 4
/** Lists in lists that are shown. */
const MOST_LEVELS = 3
const MOST_SEQS = 10

/** The sentence of a finding, in one line; it may hold text of the log, cut but not escaped. */
export function describe({ code, args }: Pick<Finding, 'code' | 'args'>): string {
  const rule = ruleOf(code)
  return rule.message(wordedArgs(rule.args, args))
}

function wordedArgs<Kinds extends EvidenceKinds>(kinds: Kinds, args: JsonObject): Worded<Kinds> {
  const worded: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(kinds)) {
    const value = args[name]
    if (typeof kind !== 'string') worded[name] = isWordTable(kind) ? kind[wordOf(value)] : value
    else if (!kind.endsWith('?')) worded[name] = WORDED[kind as EvidenceKind](value)
    else if (value !== undefined && value !== null)
      worded[name] = WORDED[kind.slice(0, -1) as EvidenceKind](value)
  }
  return worded as Worded<Kinds>
}

function isWordTable(kind: WordTable | readonly string[]): kind is WordTable {
  return !Array.isArray(kind)
}

const asIs = (value: JsonValue | undefined): unknown => value
const cut = (value: JsonValue | undefined): string => shortened(wordOf(value), LONGEST_TEXT)

const WORDED: Readonly<Record<EvidenceKind, (value: JsonValue | undefined) => unknown>> = {
  count: asIs,
  number: asIs,
  seq: asIs,
  seqs: (value) => seqsText(value as readonly number[]),
  text: cut,
  name: cut,
  value: (value) => valueText(value),
  flag: asIs,
}

/** A value of unknown shape. */
function valueText(value: JsonValue | undefined, level = 0): string {
  if (value === undefined) return 'nothing'
  if (typeof value !== 'object' || value === null) return shortened(String(value), LONGEST_VALUE)
  if (!Array.isArray(value)) return 'an object'
  if (level === MOST_LEVELS) return 'a list'
  const entries = value.slice(0, MOST_ENTRIES).map((entry) => valueText(entry, level + 1))
  return `the list [${[...entries, ...(value.length > MOST_ENTRIES ? ['…'] : [])].join(', ')}]`
}

function seqsText(seqs: readonly number[]): string {
  const rest = seqs.length - MOST_SEQS
  return rest > 0 ? `${seqs.slice(0, MOST_SEQS).join(', ')} and ${rest} more` : seqs.join(', ')
}
