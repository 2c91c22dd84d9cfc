/** Logs of format 4 cut after every event: whether the real code opens them, and how it would close them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../src/core/event/session-event.ts'
import { judge } from '../../src/core/findings/verdict.ts'
import { closersAt } from '../../src/core/repair/closers.ts'
import { loadLog } from '../../src/load/sessions/load-log.ts'
import { plainFile } from '../../src/storage/jsonl/plain-file.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { tempDir } from '../support/temp-dir.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { missingCorpus } from './missing-corpus.ts'

interface Cuts {
  readonly source: string
  readonly cuts: Readonly<
    Record<string, { accepted: boolean; closers?: SessionEvent[]; withClosersAccepted?: boolean }>
  >
}

const corpus = process.env.RESURFACE_CORPUS
const file = corpus === undefined ? '' : join(corpus, 'v4/cuts.json')
const stored = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Cuts>) : {}
/** The answers may be there without their log. */
const all = Object.fromEntries(
  Object.entries(stored).filter(([, { source }]) => existsSync(join(corpus as string, source))),
)

describeUnlessMissing(missingCorpus(Object.keys(all).length), 'format 4, cut after every event', () => {
  test.each(Object.keys(all))('%s', async (name) => {
    const { source, cuts } = all[name] as Cuts
    const lines = readFileSync(join(corpus as string, source), 'utf8').split('\n')
    const path = join(tempDir(), 'session.jsonl')
    const opens = async () => {
      const loaded = await loadLog(plainFile(path, DEFAULT_LIMITS), {}, { limits: DEFAULT_LIMITS })
      return { loaded, opens: judge(loaded.findings.counts()).opens }
    }
    for (const [cut, answer] of Object.entries(cuts)) {
      const kept = lines.slice(0, Number(cut) + 1)
      writeFileSync(path, `${kept.join('\n')}\n`)
      const { loaded, opens: accepted } = await opens()
      expect(accepted, `cut ${cut}`).toBe(answer.accepted)
      if (answer.closers === undefined) continue
      const closers = closersAt(loaded.end.cursor, loaded.end.last?.event, loaded.end.dialect)
      expect(closers, `cut ${cut}`).toEqual(answer.closers)
      if (answer.withClosersAccepted === undefined) continue
      writeFileSync(path, `${[...kept, ...closers.map((closer) => JSON.stringify(closer))].join('\n')}\n`)
      expect((await opens()).opens, `cut ${cut} with closers`).toBe(answer.withClosersAccepted)
    }
  })
})
