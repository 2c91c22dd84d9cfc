/** `anonymize` as tests call it, and what the other commands make of a log: the same questions before and after. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { classification } from '../../src/core/projections/classification.ts'
import { InputOpener } from '../../src/load/inputs/open-input.ts'
import type { LookAlike } from '../../src/load/reading/look-alikes.ts'
import { examination } from '../../src/load/repair/examine.ts'
import { planRepair } from '../../src/load/repair/plan-repair.ts'
import { loadLog } from '../../src/load/sessions/load-log.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { type MainResult, runMain } from './run-main.ts'

export function anonymized(path: string, output: string, ...flags: readonly string[]): Promise<MainResult> {
  return runMain(['anonymize', path, '-o', output, '--json', ...flags])
}

export interface Answers {
  readonly findings: readonly { readonly code: string }[]
  readonly classes: readonly object[]
  readonly steps: readonly { readonly finding: string | undefined }[]
  readonly added: readonly object[]
}

/** What the other commands are told of a log, without what quotes it. Rows of a database have no lines. */
export async function answersOn(
  path: string,
  hasLines: boolean,
  limits = DEFAULT_LIMITS,
  dialect?: LookAlike,
): Promise<Answers> {
  const opener = new InputOpener({
    limits,
    stdin: Readable.from([]),
    ...(dialect !== undefined && { lookAlike: dialect }),
  })
  try {
    const { source, file } = await opener.open({ name: path, path, remarks: [] })
    const log = await loadLog(
      source,
      { ...examination({ allowUnknown: false }), classes: classification() },
      { limits },
    )
    const options = { limits, file, keep: 'living', allowUnknown: false } as const
    const { steps, closers, inserted, notes } = await planRepair(source, log, options)
    return {
      findings: log.findings.findings().map(({ code, seq, origin, related, causedBy }) => ({
        code,
        seq,
        related,
        causedBy: causedBy?.code,
        ...(hasLines && { line: origin.line }),
      })),
      classes: [...log.results.classes.events()].map(({ type: _type, ...event }) => event),
      steps: steps.map(({ kind, finding, lines, seqs, count }) => ({
        kind,
        finding,
        seqs,
        count,
        ...(hasLines && { lines }),
      })),
      added: [...inserted, ...closers, ...notes].map(({ type, seq }) => ({ type, seq })),
    }
  } finally {
    await opener.close()
  }
}

/** The lines of a log, plain or compressed. */
export async function textOf(path: string): Promise<string> {
  const opener = new InputOpener({ limits: DEFAULT_LIMITS, stdin: Readable.from([]) })
  try {
    const { source } = await opener.open({ name: path, path, remarks: [] })
    const lines: string[] = []
    for await (const items of source.items()) {
      for (const item of items)
        if (item.kind === 'record' && item.content.kind === 'bytes') lines.push(String(item.content.bytes))
    }
    return lines.join('\n')
  } finally {
    await opener.close()
  }
}

const WORD = /\p{L}{4,}/gu

function wordsIn(text: string): ReadonlySet<string> {
  return new Set((text.match(WORD) ?? []).map((word) => word.toLowerCase()))
}

const CORE = join(import.meta.dirname, '../../src/core')

/** The words that the lists of the format consist of: names of types and members, enumerated values, texts of DSH. */
const FORMAT_WORDS: ReadonlySet<string> = wordsIn(
  ['event-types/envelope.ts', 'event-types/event-types.ts', 'event-types/values.ts', 'event-types/closers.ts']
    .map((file) => withoutComments(readFileSync(join(CORE, file), 'utf8')))
    .join('\n')
    // A streamed "false" may be cut after its first letter.
    .concat(' true false alse null legacy repaired'),
)

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

/** Words of a log that are still in its copy, although they are none of the format, nor what stands for every word. */
export function survivors(log: string, copy: string): readonly string[] {
  const left = wordsIn(copy)
  const isOfLog = (word: string): boolean => !FORMAT_WORDS.has(word) && !/^x+$/.test(word)
  return [...wordsIn(log)].filter((word) => left.has(word) && isOfLog(word))
}
