/**
 * Verdicts on real and derived logs: every plain log of the formats 0 to 3 in the folder that RESURFACE_CORPUS names,
 * asked of resurface and of the published readers.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { missingCorpus } from '../conformance/missing-corpus.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { answeredFormats, missingReaders, ReadersProcess } from './readers-process.ts'
import { releaseAnswers } from './release-answer.ts'

const corpus = process.env.RESURFACE_CORPUS
const logs =
  corpus === undefined || !existsSync(corpus)
    ? []
    : readdirSync(corpus, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.jsonl') && hasAnsweredFormat(join(corpus, file)))
        .toSorted()

function hasAnsweredFormat(path: string): boolean {
  const [first = ''] = readFileSync(path, 'utf8').split('\n', 1)
  try {
    const header = JSON.parse(first)
    return header?.type === 'session' && [0, 1, 2, 3].includes(header.version)
  } catch {
    return false
  }
}

/** Where the verdicts differ, and why that is right. */
const DIFFERENCES: readonly (readonly [log: RegExp, reason: string])[] = [
  [
    /^derived\/hdr-id-empty\./,
    'an empty id names no file: the store refuses the log before its rows are read',
  ],
]

describeUnlessMissing(
  missingReaders() ?? missingCorpus(logs.length),
  'the corpus and the published readers',
  () => {
    let readers: ReadersProcess
    beforeAll(() => {
      readers = new ReadersProcess()
    })
    afterAll(() => readers.stop())

    test.each(logs)('%s', async (log) => {
      const text = readFileSync(join(corpus as string, log), 'utf8')
      const theirs = await readers.ask(text)
      const ours = await releaseAnswers(text)
      const formats = answeredFormats(theirs)
      const differs = formats.some((format) => theirs[format]?.opens !== ours[format].opens)
      const known = DIFFERENCES.find(([pattern]) => pattern.test(log))
      expect(differs, JSON.stringify({ theirs, ours })).toBe(known !== undefined)
    })
  },
)
