/** Conformance for formats 1 to 4: the answers stored next to the logs, native reading of each format. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../src/core/event/session-event.ts'
import { judge } from '../../src/core/findings/verdict.ts'
import { classification } from '../../src/core/projections/classification.ts'
import { surfaceMessages, surfaceView } from '../../src/core/projections/surface-view.ts'
import { type TranscriptEntry, transcript } from '../../src/core/projections/transcript.ts'
import { closersAt } from '../../src/core/repair/closers.ts'
import { loadLog } from '../../src/load/sessions/load-log.ts'
import { plainFile } from '../../src/storage/jsonl/plain-file.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { laterFormatDifferences } from './deliberate-differences.ts'
import { missingCorpus } from './missing-corpus.ts'

interface Answer {
  readonly accepted: boolean
  readonly rowsKept?: number
  readonly eventCount?: number | null
  readonly surface?: number[] | null
  readonly replacements?: { seq: number; start: number; end: number; shadowedSeqs: number[] }[]
  readonly messagesSha256?: string | null
  readonly repairClosers?: SessionEvent[]
  readonly transcriptSeqs?: number[]
  readonly transcriptSeqsWithoutSystem?: number[]
  readonly classification?: { current: number[]; shadowed: number[] }
}

const corpus = process.env.RESURFACE_CORPUS
const FOLDERS = ['v1', 'v2', 'v3', 'v4', 'derived-v2', 'derived-v3', 'derived-v4']
const logs =
  corpus === undefined
    ? []
    : FOLDERS.filter((folder) => existsSync(join(corpus, folder))).flatMap((folder) =>
        readdirSync(join(corpus, folder))
          .filter((file) => file.endsWith('.jsonl'))
          .toSorted()
          .map((file) => ({ folder, name: `${folder}/${file}` })),
      )

describeUnlessMissing(missingCorpus(logs.length), 'formats 1 to 4 in plain JSONL', () => {
  test.each(logs)('$name', async ({ folder, name }) => {
    const path = join(corpus as string, name)
    const answer = JSON.parse(readFileSync(path.replace(/\.jsonl$/, '.oracle.json'), 'utf8')) as Answer
    const entries: TranscriptEntry[] = []
    const loaded = await loadLog(
      plainFile(path, DEFAULT_LIMITS),
      {
        surface: surfaceView(),
        messages: surfaceMessages(),
        classes: classification(),
        transcript: transcript((entry) => entries.push(entry)),
      },
      { limits: DEFAULT_LIMITS },
    )
    const codes = loaded.findings.counts().map(({ code }) => code)
    const difference = laterFormatDifferences[name]
    // Format 1 never left the development tree: the stored verdict is that of a reader of format 0.
    const accepted = folder === 'v1' || answer.accepted
    expect(judge(loaded.findings.counts()).opens, `findings: ${codes.join(', ')}`).toBe(
      difference?.opens ?? accepted,
    )
    if (!accepted) return
    const { surface, messages, classes } = loaded.results
    const events = answer.eventCount ?? answer.rowsKept
    if (events !== undefined) expect(loaded.end.eventCount).toBe(events)
    if (answer.surface) expect(surface.nodes.map((node) => node.seq)).toEqual(answer.surface)
    if (answer.replacements) {
      const landed = surface.replacements.map(({ shadowed, ...rest }) => ({
        ...rest,
        shadowedSeqs: shadowed,
      }))
      expect(landed).toEqual(answer.replacements)
    }
    if (answer.messagesSha256) {
      const text = JSON.stringify(messages.map(({ message }) => message))
      expect(createHash('sha256').update(text).digest('hex')).toBe(answer.messagesSha256)
    }
    if (answer.classification) {
      const seqs = (wanted: string) =>
        [...classes.events()].filter((event) => event.class === wanted).map(({ seq }) => seq)
      expect(seqs('current')).toEqual(answer.classification.current.toSorted((a, b) => a - b))
      expect(seqs('shadowed')).toEqual(answer.classification.shadowed.toSorted((a, b) => a - b))
    }
    const shownSeqs = answer.transcriptSeqsWithoutSystem ?? answer.transcriptSeqs
    if (shownSeqs) {
      const shown = entries
        .filter(
          ({ kind }) =>
            kind !== 'compaction' && kind !== 'unfinished' && kind !== 'failure' && kind !== 'gap',
        )
        .map(({ seq }) => seq)
      const types = new Map([...classes.events()].map(({ seq, type }) => [seq, type]))
      expect(shown).toEqual(shownSeqs.filter((seq) => types.get(seq) !== 'system/message'))
    }
    if (answer.repairClosers) {
      expect(closersAt(loaded.end.cursor, loaded.end.last?.event, loaded.end.dialect)).toEqual(
        answer.repairClosers,
      )
    }
    const errors = loaded.findings.counts().filter(({ severity }) => severity === 'error')
    expect(errors.map(({ code }) => code)).toEqual(difference?.codes ?? [])
  })
})
