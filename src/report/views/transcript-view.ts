/** The conversation as the human saw it. A compaction is one line where it happened; its payload is never shown. */
import { beginningOf, excerptOf } from '../../core/projections/shorten-entry.ts'
import { failureText } from '../failure-text.ts'
import type { ListItem } from '../main-list.ts'
import { momentText } from '../moment-text.ts'
import { plural } from '../number-text.ts'
import type { Entry } from '../section.ts'
import { gapEntry } from './gap-sections.ts'
import type { View, ViewOptions } from './view.ts'

type TranscriptEntry = ListItem<'transcript'>

export const transcriptView: View<'transcript'> = {
  *sections(report, options) {
    const { entries, digest } = report.data
    if (digest !== undefined) yield { kind: 'code', text: digest }
    else yield { kind: 'entries', entries: entriesOf(entries, options) }
  },
  isUntitled: true,
  entry: (row) => entryOf(row),
}

/** What is said around the entries is for the terminal: in a pipe they are what `watch` prints one by one. */
function* entriesOf(
  entries: Iterable<TranscriptEntry>,
  { onTerminal = false, isShort = false }: ViewOptions,
): Iterable<Entry> {
  let turn: number | undefined
  for (const entry of entries) {
    if (onTerminal && entry.turn !== undefined && entry.turn !== turn)
      yield { heading: `── turn ${entry.turn} · ${momentText(entry.time)} UTC ──`, tone: 'strong' }
    if (entry.turn !== undefined) turn = entry.turn
    const shown = entryOf(isShort ? shortened(entry) : entry)
    yield onTerminal ? { ...shown, heading: `${shown.heading}${markOf(entry)}` } : shown
  }
}

function markOf({ replacedBy }: TranscriptEntry): string {
  return replacedBy === undefined ? '' : ` · the model no longer sees it (replaced by #${replacedBy})`
}

/** What of the output of a tool is shown, and of its arguments. */
const SHOWN_LINES = 6
const SHOWN_UNITS = 600
const SHOWN_ARGUMENTS = 200
/** A shorter rest is shown. */
const LEAST_HIDDEN = 80

function shortened(entry: TranscriptEntry): TranscriptEntry {
  const args = 'arguments' in entry ? entry.arguments : undefined
  const brief = args === undefined ? {} : { arguments: excerptOf(args, SHOWN_ARGUMENTS) }
  if (entry.kind !== 'tool') return { ...entry, ...brief }
  return { ...entry, ...brief, text: shortOutput(entry.text) }
}

function shortOutput(text: string): string {
  let end = 0
  for (let line = 0; line < SHOWN_LINES && end !== -1; line++) end = text.indexOf('\n', end + 1)
  const lines = end === -1 ? text : text.slice(0, end)
  const kept = lines.length > SHOWN_UNITS ? beginningOf(lines, SHOWN_UNITS) : lines
  const rest = text.slice(kept.length)
  if (rest.length < LEAST_HIDDEN && !rest.trim().includes('\n')) return text
  const hidden = rest.trim().split('\n').length
  const what = kept === lines ? plural(hidden, 'more line') : plural(rest.length, 'more character')
  return `${kept}\n… ${what} (--full shows all)`
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
