/**
 * The table of releases against the answers of real migrations: the published codec from format 0 to 1, and the edge
 * from format 2 to 3. Needs the folder of logs that RESURFACE_CORPUS names.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { releaseVerdicts } from '../../src/core/compatibility/compatibility.ts'
import { migrationFacts } from '../../src/core/compatibility/migration-facts.ts'
import { loadLog } from '../../src/load/sessions/load-log.ts'
import { plainFile } from '../../src/storage/jsonl/plain-file.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { missingCorpus } from './missing-corpus.ts'

interface Answer {
  readonly log?: string
  readonly v0reader?: { readonly accepted: boolean }
  readonly otherReaders?: { readonly migrateToV3?: { readonly accepted: boolean } }
}

const corpus = process.env.RESURFACE_CORPUS
const wanted =
  corpus === undefined || !existsSync(corpus)
    ? []
    : readdirSync(corpus, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.oracle.json'))
        .toSorted()
        .flatMap((file) => {
          const answer = JSON.parse(readFileSync(join(corpus, file), 'utf8')) as Answer
          const log = join(dirname(file), answer.log ?? `${basename(file, '.oracle.json')}.jsonl`)
          const { v0reader, otherReaders } = answer
          if (!log.endsWith('.jsonl') || !existsSync(join(corpus, log))) return []
          if (v0reader !== undefined) return [{ log, release: 'format-2', accepted: v0reader.accepted }]
          const edge = otherReaders?.migrateToV3
          return edge === undefined ? [] : [{ log, release: 'format-3', accepted: edge.accepted }]
        })

/** Where the table says something else, and why it should. */
const DIFFERENCES: readonly (readonly [log: RegExp, opens: boolean, reason: string])[] = [
  [/^derived\/hdr-version-1\./, true, 'the codec of format 0 was asked, and the log has format 1'],
  [/^derived\/msg-user-content-empty\./, true, 'texts framed for a title request are not compared'],
  [/^derived\/surf-/, false, 'the codec does not fold the surface; the build that reads its result does'],
  [/^derived-v2\/assistant-stream-dt-short\./, false, 'refused in format 2 itself, before any migration'],
  [
    /^(?:generated-v0|real-jsonl)\/.*(?:repaired|resumed)\./,
    false,
    'the step after the codec refuses it (§11 C12)',
  ],
]

describeUnlessMissing(missingCorpus(wanted.length), 'what other releases make of them', () => {
  test.each(wanted)('$log for $release', async ({ log, release, accepted }) => {
    const loaded = await loadLog(
      plainFile(join(corpus as string, log), DEFAULT_LIMITS),
      { facts: migrationFacts() },
      { limits: DEFAULT_LIMITS },
    )
    const { header, findings, results } = loaded
    const verdicts = releaseVerdicts(header?.version, findings.counts(), results.facts)
    const verdict = verdicts.find((one) => one.release === release)
    if (verdict?.opens === accepted) return
    const difference = DIFFERENCES.find(([pattern]) => pattern.test(log))
    expect(verdict?.opens, JSON.stringify(verdict?.reasons)).toBe(
      difference === undefined ? accepted : difference[1],
    )
  })
})
