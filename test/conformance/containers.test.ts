/**
 * Conformance: the answers of the real DSH code for a folder of real and mutated logs. The folder is named by
 * RESURFACE_CORPUS; without it the suite is skipped with a message, because the logs are not part of the project.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import type { SessionEvent } from '../../src/core/event/session-event.ts'
import { judge } from '../../src/core/findings/verdict.ts'
import { classification } from '../../src/core/projections/classification.ts'
import { surfaceMessages, surfaceView } from '../../src/core/projections/surface-view.ts'
import { type TranscriptEntry, transcript } from '../../src/core/projections/transcript.ts'
import { closersAt } from '../../src/core/repair/closers.ts'
import { locationFindings } from '../../src/load/inputs/location-findings.ts'
import { InputOpener } from '../../src/load/inputs/open-input.ts'
import { loadLog } from '../../src/load/sessions/load-log.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { strictlyAccepted } from '../support/strictly-accepted.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { decodedLogs, deliberateDifferences } from './deliberate-differences.ts'
import { missingCorpus } from './missing-corpus.ts'

interface Answer {
  readonly log: string
  readonly sessionId: string
  readonly format: string
  readonly formatVersion: number | null
  readonly accepted: boolean
  readonly strictAccepted: boolean | null
  readonly eventCount: number | null
  readonly surface: number[] | null
  readonly replacements: { seq: number; start: number; end: number; shadowedSeqs: number[] }[]
  readonly messagesSha256: string | null
  readonly repairClosers: SessionEvent[]
  readonly transcriptSeqs: number[]
  readonly checkpointSeqs: number[]
  readonly replacementSeqs: number[]
  readonly classification?: { current: number[]; shadowed: number[] }
}

const corpus = process.env.RESURFACE_CORPUS
const answers =
  corpus === undefined || !existsSync(corpus)
    ? []
    : readdirSync(corpus, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.oracle.json'))
        .toSorted()
        .map((file) => ({
          path: join(corpus, file),
          answer: JSON.parse(readFileSync(join(corpus, file), 'utf8')) as Answer,
        }))
        .filter(({ answer }) => (answer.formatVersion ?? 0) === 0 && answer.format !== undefined)

describeUnlessMissing(missingCorpus(answers.length), 'format 0 in every container', () => {
  for (const { path, answer } of answers) {
    const log = join(dirname(path), answer.log)
    const name = relative(corpus as string, path).replace(
      /oracle\.json$/,
      answer.log.split('.').slice(-1)[0] as string,
    )
    test(name, async () => {
      const entries: TranscriptEntry[] = []
      const events: SessionEvent[] = []
      const opener = new InputOpener({ limits: DEFAULT_LIMITS, stdin: Readable.from([]) })
      onTestFinished(() => opener.close())
      const session = answer.format.startsWith('sqlite') ? { session: answer.sessionId } : {}
      const input = await opener.open({ name: log, path: log, ...session, remarks: [] })
      const loaded = await loadLog(
        input.source,
        {
          surface: surfaceView(),
          messages: surfaceMessages(),
          classes: classification(),
          transcript: transcript((entry) => entries.push(entry)),
          events: { on: ({ event }) => void events.push(event), finish: () => events },
        },
        { limits: DEFAULT_LIMITS },
      )
      for (const finding of await locationFindings(input, loaded.header)) loaded.findings.add(finding)
      const judgement = judge(loaded.findings.counts())
      const codes = loaded.findings.counts().map(({ code }) => code)
      expect(judgement.opens, `opens; findings: ${codes.join(', ')}`).toBe(answer.accepted)
      if (!answer.accepted) {
        expect(judgement.exitCode).not.toBe(0)
        return
      }
      const { surface, messages, classes } = loaded.results
      expect(events.length).toBe(answer.eventCount)
      expect(surface.nodes.map((node) => node.seq)).toEqual(answer.surface)
      expect(
        surface.replacements.map(({ shadowed, ...rest }) => ({ ...rest, shadowedSeqs: shadowed })),
      ).toEqual(answer.replacements)
      if (answer.messagesSha256 !== null) {
        const text = JSON.stringify(messages.map(({ message }) => message))
        expect(createHash('sha256').update(text).digest('hex')).toBe(answer.messagesSha256)
      }
      if (answer.classification !== undefined) {
        const listed = [...classes.events()]
        const seqs = (wanted: string) =>
          listed.filter((event) => event.class === wanted).map(({ seq }) => seq)
        expect(seqs('current').toSorted((a, b) => a - b)).toEqual(
          answer.classification.current.toSorted((a, b) => a - b),
        )
        expect(seqs('shadowed').toSorted((a, b) => a - b)).toEqual(
          answer.classification.shadowed.toSorted((a, b) => a - b),
        )
      }
      const markerKinds = ['compaction', 'unfinished', 'failure', 'gap']
      const shown = entries.filter(({ kind }) => !markerKinds.includes(kind))
      expect(shown.map(({ seq }) => seq)).toEqual(answer.transcriptSeqs)
      const markers = entries.filter(({ kind }) => kind === 'compaction').map(({ seq }) => seq)
      expect(markers).toEqual(answer.checkpointSeqs.filter((seq) => answer.replacementSeqs.includes(seq)))
      expect(closersAt(loaded.end.cursor, loaded.end.last?.event)).toEqual(answer.repairClosers)

      const asStored = !codes.includes('legacy/shape') && !decodedLogs.includes(name)
      if (asStored && answer.strictAccepted !== null)
        expect(strictlyAccepted(events)).toBe(answer.strictAccepted)

      const errors = loaded.findings.counts().filter(({ severity }) => severity === 'error')
      expect(errors.map(({ code }) => code)).toEqual(deliberateDifferences[name]?.codes ?? [])
    })
  }
})
