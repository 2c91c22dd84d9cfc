/**
 * One JSON object a line. Every line has a `kind`: the last one of every report is its `summary`, and the last one of all
 * is the `total`, so a cut stream can be told from a complete one. Engines of all kinds read it (docs/fleet.md).
 */
import { compact } from '../json-text.ts'
import { listed, mainListOf, splitList } from '../main-list.ts'
import { isTable, kindOf, type LiveList, type Report, type ReportSet } from '../report.ts'

export function* renderNdjson(set: ReportSet): Iterable<string> {
  const { schema, reports, unread = [] } = set
  const isAlone = reports.length + unread.length === 1 && !isTable(kindOf(schema))
  for (const report of reports) yield* reportLines(report, isAlone ? {} : { log: report.subject?.path })
  yield* endLines(set, reports.length)
}

/** The same lines, each as soon as its item is there. */
export async function* renderLiveNdjson(live: LiveList): AsyncIterable<string> {
  const text = itemText({ kind: mainListOf(kindOf(live.schema))?.kind })
  for await (const item of live.items) yield text(item)
  yield* renderNdjson(live.rest())
}

/** The lines of several reports, in blocks, while the reports come. @param rest - the report set without them. */
export async function* renderEachNdjson(
  reports: AsyncIterable<Report>,
  rest: () => ReportSet,
): AsyncIterable<string> {
  let count = 0
  let block = ''
  for await (const report of reports) {
    count++
    for (const line of reportLines(report, { log: report.subject?.path })) {
      block += line
      if (block.length < BLOCK_UNITS) continue
      yield block
      block = ''
    }
  }
  yield `${block}${[...endLines(rest(), count)].join('')}`
}

const BLOCK_UNITS = 64 * 1024

function* endLines({ schema, unread = [] }: ReportSet, reports: number): Iterable<string> {
  for (const input of unread) yield line({ kind: 'unread', ...input })
  yield line({ kind: 'total', schema, reports, unread: unread.length })
}

function* reportLines(report: Report, common: object): Iterable<string> {
  const kind = kindOf(report.schema)
  const { items, rest } = splitList(kind, report.data)
  const text = itemText({ kind: mainListOf(kind)?.kind, ...common })
  for (const item of items) yield text(item)
  for (const finding of report.findings) yield line({ kind: 'finding', ...common, ...finding })
  const { schema, subject, verdict } = report
  yield line({
    kind: 'summary',
    ...common,
    schema,
    subject,
    verdict,
    findings: report.findings.length,
    // To be written on one line, streams have to be read.
    ...listed(rest),
  })
}

type Item = Readonly<Record<string, unknown>>

/** Lines of items. There may be a million of them, most like the one before but for the seq that they begin with. */
function itemText(common: object): (item: Item) => string {
  const start = `${lineOf(common).slice(0, -1)},"seq":`
  let last: Item | undefined
  let end = ''
  return (item) => {
    if (last !== undefined && differsInSeqOnly(item, last)) return `${start}${item.seq}${end}`
    const [[key, seq] = [], ...members] = Object.entries(item)
    const rest = lineOf(Object.fromEntries(members))
    const repeats = key === 'seq' && Number.isFinite(seq) && rest !== '{}'
    last = repeats ? item : undefined
    if (!repeats) return line({ ...common, ...item })
    end = `,${rest.slice(1)}\n`
    return `${start}${seq}${end}`
  }
}

function differsInSeqOnly(a: Item, b: Item): boolean {
  if (!Number.isFinite(a.seq)) return false
  for (const key in a) if (a[key] !== b[key] && key !== 'seq') return false
  for (const key in b) if (!(key in a)) return false
  return true
}

function line(value: object): string {
  return `${lineOf(value)}\n`
}

/** Half of a surrogate pair is JSON, but no text: engines refuse the whole file for it. */
function lineOf(value: unknown): string {
  const text = compact(value)
  if (!text.includes('\\ud')) return text
  return text.replace(ESCAPES, (whole, half?: string) => (half === undefined ? whole : '\\ufffd'))
}

/** A pair, half of one, or any other escape. */
const ESCAPES = /\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\u(d[89a-f][0-9a-f]{2})|\\./g
