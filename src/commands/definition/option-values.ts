/** Texts of the command line → values, with one wording for what is wrong with them. */
import { didYouMean } from '../../core/search/similar-words.ts'
import type { Boundary } from '../../load/repair/cut-place.ts'
import type { Format } from '../../report/renderers/render.ts'
import { ToolError } from '../../storage/tool-error.ts'

/** A report in another format, in a file, next to what is printed. */
export interface ReportFile {
  readonly format: Format
  readonly file: string
}

/** @param formats - what the report can be printed as. */
export function reportFile(formats: readonly Format[]): (text: string) => ReportFile {
  return (text) => {
    const at = text.indexOf('=')
    const file = text.slice(at + 1)
    if (at < 1 || file === '')
      throw new ToolError('usage', `"${text}" is not FORMAT=FILE, as in ${formats.at(1) ?? formats[0]}=FILE`)
    const named = text.slice(0, at)
    const format = formats.find((known) => known === named)
    if (format === undefined) {
      const choices = `${didYouMean(named, formats)}The formats are ${formats.join(', ')}`
      throw new ToolError('usage', `There is no format "${named}". ${choices}`)
    }
    if (file === '-')
      throw new ToolError(
        'usage',
        `Standard output has the answer itself; for this format alone write --format ${format}`,
      )
    return { format, file }
  }
}

export function parseSeq(text: string): number {
  return parseWhole(text, 'a seq', 0)
}

export function parseTurn(text: string): number {
  return parseWhole(text, 'a turn number', 0)
}

export function parseCount(text: string): number {
  return parseWhole(text, 'a number of 1 or more', 1)
}

export function parseLimit(text: string): number {
  return parseWhole(text, 'a whole number from 0 on; 0 means all', 0)
}

/** Seconds as milliseconds. */
export function parseSeconds(text: string): number {
  const value = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= 0)) throw new ToolError('usage', `"${text}" is not a number of seconds`)
  return Math.round(value * 1000)
}

/** The same for what has to take a while. */
export function parseInterval(text: string): number {
  const milliseconds = parseSeconds(text)
  if (milliseconds < 10 || milliseconds > 3_600_000)
    throw new ToolError('usage', `"${text}" is not between 0.01 and 3600 seconds`)
  return milliseconds
}

const TIMES: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** @returns the moment that a text means, once it is known when now is: `7d` ago, or a date. */
export function parseMoment(text: string): (now: number) => number {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  const length = TIMES[unit]
  if (count !== undefined && length !== undefined) return (now) => now - Number(count) * length
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new ToolError(
      'usage',
      `"${text}" is no time`,
      'Name a date, such as 2026-11-30, or how long ago: 30m, 12h, 7d, 2w.',
    )
  return () => time
}

function parseWhole(text: string, what: string, least: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least)) throw new ToolError('usage', `"${text}" is not ${what}`)
  return value
}

export interface SeqRange {
  readonly from: number
  readonly to: number
}

/** `A..B`, `A..`, `..B` or a single seq; both ends belong to it. */
export function parseSeqRange(text: string): SeqRange {
  const match = /^(\d{0,15})\.\.(\d{0,15})$/.exec(text)
  if (match === null) {
    const seq = parseSeq(text)
    return { from: seq, to: seq }
  }
  const [, from = '', to = ''] = match
  const range = { from: from === '' ? 0 : Number(from), to: to === '' ? Number.MAX_SAFE_INTEGER : Number(to) }
  if (range.from > range.to) throw new ToolError('usage', `"${text}" ends before it begins`)
  return range
}

/** `turn:N` or `seq:N`. */
export function parseBoundary(text: string): Boundary {
  const match = /^(turn|seq):(\d{1,15})$/.exec(text)
  if (match === null) throw new ToolError('usage', `"${text}" is an invalid position; write turn:3 or seq:41`)
  return { unit: match[1] as Boundary['unit'], number: Number(match[2]) }
}

/** A model may have a slash in its name. */
export function parseModel(text: string): { readonly provider: string; readonly model: string } {
  const [, provider, model] = /^([^/]+)\/(.+)$/.exec(text) ?? []
  if (provider === undefined || model === undefined)
    throw new ToolError('usage', `"${text}" is not a provider and a model, as in deepseek/deepseek-chat`)
  return { provider, model }
}

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** A string of JavaScript holds no more. */
const LONGEST_RECORD = 500 * 1024 * 1024

/** A number of bytes, with K, M or G for multiples of 1024. */
export function parseBytes(text: string): number {
  const match = /^(\d{1,12})([kmg]?)(?:i?b)?$/i.exec(text)
  const bytes =
    match === null ? Number.NaN : Number(match[1]) * (UNITS[(match[2] ?? '').toLowerCase()] ?? Number.NaN)
  if (!(bytes >= 1)) throw new ToolError('usage', `"${text}" is not a size; write 500K or 64M`)
  if (bytes > LONGEST_RECORD)
    throw new ToolError('usage', 'a record of more than 500M cannot be read by JavaScript')
  return bytes
}

export function parseList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
