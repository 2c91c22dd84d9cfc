/** The conversation as the human saw it. A compaction is one line where it happened; its payload is never shown. */
import { failureText } from '../failure-text.ts'
import { plural } from '../number-text.ts'
import type { Row } from '../rows.ts'
import type { Entry } from '../section.ts'
import { gapEntry } from './gap-sections.ts'
import type { View } from './view.ts'

type TranscriptEntry = Row<'transcript'>

export const transcriptView: View<'transcript'> = {
  *sections(report) {
    const { entries, digest } = report.data
    if (digest !== undefined) yield { kind: 'code', text: digest }
    else yield { kind: 'entries', entries: entriesOf(entries) }
  },
  isUntitled: true,
  entry: entryOf,
}

function* entriesOf(entries: Iterable<TranscriptEntry>): Iterable<Entry> {
  for (const entry of entries) yield entryOf(entry)
}

function entryOf(entry: TranscriptEntry): Entry {
  const where = `#${entry.seq}`
  switch (entry.kind) {
    case 'user':
      return { heading: `user ${where}`, tone: 'user', body: entry.text }
    case 'context':
      return { heading: `context ${where} from ${entry.source}`, tone: 'dim', body: entry.text }
    case 'assistant': {
      const heading = `assistant ${where}${entry.interrupted === true ? ' (interrupted)' : ''}`
      return { heading, tone: 'assistant', body: entry.text }
    }
    case 'tool': {
      const call = `${entry.name ?? `call ${entry.callId}`} ${entry.arguments ?? ''}`.trimEnd()
      return {
        heading: `${entry.isError ? 'tool failed' : 'tool'} ${where} ${call}`,
        tone: entry.isError ? 'error' : 'tool',
        body: entry.omitted === undefined ? entry.text : `(${plural(entry.omitted, 'character')} left out)`,
      }
    }
    case 'compaction': {
      const tokens = entry.hiddenTokens === undefined ? '' : `, about ${plural(entry.hiddenTokens, 'token')}`
      return { heading: `${entry.text} (${plural(entry.hidden, 'message')}${tokens})`, tone: 'dim' }
    }
    case 'gap':
      return gapEntry(entry.gap)
    case 'failure':
      return { heading: `${failureText(entry)} ${where}`, tone: 'error', body: entry.text }
    case 'unfinished':
      if (entry.what === 'answer')
        return { heading: `assistant ${where} (unfinished)`, tone: 'warning', body: entry.text }
      return {
        heading: `tool ${where} ${entry.name} ${entry.arguments} (${entry.started ? 'no result' : 'never started'})`,
        tone: 'warning',
      }
  }
}
