/** Which logs can be carried over to another container or other rows without loss. */
import type { FindingCount } from '../core/findings/finding-log.ts'
import { ruleOf } from '../core/findings/rules.ts'
import { type JudgedLog, mustBeLog } from '../load/inputs/judged-log.ts'
import type { Rows } from '../load/outputs/converted-lines.ts'
import { shellWord } from '../report/shell-word.ts'
import { ToolError } from '../storage/tool-error.ts'

export type ConversionTarget = 'jsonl' | 'zstd' | 'sqlite'

/** Throws what stands against it. */
export function mustBeConvertible(log: JudgedLog<unknown>, to: ConversionTarget, rows: Rows): void {
  mustBeLog(log)
  mustBeWhole(log)
  mustFit(log, to, rows)
}

function mustBeWhole(log: JudgedLog<unknown>): void {
  const broken = log.layout.droppedEvents > 0 || log.findings.counts().some(isBreak)
  const torn = log.findings
    .counts()
    .some(({ code }) => ruleOf(code).cutOff === true || code === 'envelope/invalid')
  const unread = [...log.findings.found()].some((code) => ruleOf(code).outcome === 'incomplete')
  if (!broken && !torn && !unread) return
  throw new ToolError(
    'refused',
    `${log.name} is not whole, so it cannot be carried over without loss`,
    `See: resurface check ${shellWord(log.name)}`,
  )
}

/** Bytes that cannot be read, or an order that is broken; a form of writing that only DSH refuses is neither. */
function isBreak({ code, severity }: FindingCount): boolean {
  const { layer, readInFull } = ruleOf(code)
  return severity === 'error' && readInFull !== true && (layer === 'bytes' || layer === 'order')
}

function mustFit(log: JudgedLog<unknown>, to: ConversionTarget, rows: Rows): void {
  const isRewritten = to === 'sqlite' || rows !== 'as-is'
  const changing = [...log.findings.found()].find((code) => ruleOf(code).lostInRewriting)
  if (isRewritten && changing !== undefined) {
    throw new ToolError(
      'refused',
      `${log.name} holds values that change when they are written anew (${changing})`,
      'As it is (--rows as-is), to JSONL or zstd, it can be carried over.',
    )
  }
  const version = log.header?.version ?? 0
  if (to === 'sqlite' && version !== 0)
    throw new ToolError(
      'unsupported',
      `a database holds logs of format 0, and this one has format ${version}`,
    )
  if (rows === 'packed' && version > 1)
    throw new ToolError('unsupported', `format ${version} has no packed rows`)
}
