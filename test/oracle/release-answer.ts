/** What resurface says of a log about the releases that can be asked: whether each opens it, and why not. */
import { releaseVerdicts } from '../../src/core/compatibility/compatibility.ts'
import { migrationFacts } from '../../src/core/compatibility/migration-facts.ts'
import { load } from '../support/load.ts'
import type { ReaderFormat } from './readers-process.ts'

export interface ReleaseAnswer {
  readonly opens: boolean
  readonly reasons: readonly string[]
}

export async function releaseAnswers(text: string): Promise<Readonly<Record<ReaderFormat, ReleaseAnswer>>> {
  const { header, findings, results } = await load(text, { facts: migrationFacts() })
  const verdicts = releaseVerdicts(header?.version, findings.counts(), results.facts)
  const answer = (format: ReaderFormat): ReleaseAnswer => {
    const verdict = verdicts.find(({ release }) => release === `format-${format}`)
    if (verdict === undefined) throw new Error(`no verdict about format-${format}`)
    return { opens: verdict.opens, reasons: verdict.reasons.map(({ what }) => what) }
  }
  return { 2: answer(2), 3: answer(3) }
}
