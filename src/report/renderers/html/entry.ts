/** One entry of a conversation. What a reader wants now and then is folded: calls with their results, thoughts, context. */
import { isMessage } from '../../../core/projections/shadowed-by.ts'
import { beginningOf, excerptOf } from '../../../core/projections/shorten-entry.ts'
import type { SurfaceStep } from '../../../core/projections/surface-growth.ts'
import { failureText } from '../../failure-text.ts'
import { gapText, gapTexts } from '../../gap-text.ts'
import type { ListItem } from '../../main-list.ts'
import { clockText, momentText, spanText } from '../../moment-text.ts'
import { grouped, plural } from '../../number-text.ts'
import { html, lines, type Markup } from './markup.ts'

type ShortEntry = ListItem<'report'>

/** What is known about an entry besides itself. */
export interface EntryFacts {
  /** ` id="…"`, where a link can lead to the entry. */
  readonly anchor: Markup | undefined
  /** Links to the findings at its event. */
  readonly badge: Markup | undefined
  /** What a compaction hid, and its summary. */
  readonly step: SurfaceStep | undefined
  /** The event is none of this session's own. */
  readonly isInherited: boolean
}

export function entryMarkup(entry: ShortEntry, facts: EntryFacts): Markup {
  switch (entry.kind) {
    case 'user':
      return said('user', 'User', entry, facts)
    case 'assistant':
      return assistant(entry, facts)
    case 'context':
      return context(entry, facts)
    case 'tool':
      return tool(entry, facts)
    case 'compaction':
      return compaction(entry, facts)
    case 'gap':
      return gap(entry, facts)
    case 'failure':
      return failure(entry, facts)
    case 'unfinished':
      return entry.what === 'answer'
        ? said('unfinished', 'Assistant', entry, facts, 'cut off: this was streamed, and no message followed')
        : unfinishedCall(entry, facts)
  }
}

type Of<Kind extends ShortEntry['kind']> = Extract<ShortEntry, { kind: Kind }>

function said(
  mark: string,
  who: string,
  entry: Of<'user'> | Of<'assistant'> | (Of<'unfinished'> & { what: 'answer' }),
  facts: EntryFacts,
  state?: string,
  more?: Markup,
): Markup {
  const tone = mark === 'unfinished' ? 'warning' : mark
  const reasoning = 'reasoning' in entry ? thoughts(entry.reasoning) : undefined
  return html`<article class="entry ${mark}${shadowedClass(entry)}"${facts.anchor}><p><span class="who tone-${tone}">${who}</span> ${meta(entry, facts, state)}</p>
${reasoning}${entry.text !== '' && longText(entry.text)}${more}${cutNote(entry)}</article>
`
}

/** Most names of announced calls that are listed. */
const MOST_CALLS = 20

function assistant(entry: Of<'assistant'>, facts: EntryFacts): Markup {
  const { calls, interrupted } = entry
  const names = calls.slice(0, MOST_CALLS).map(({ name }) => brief(name))
  const more = calls.length > names.length ? ` and ${grouped(calls.length - names.length)} more` : ''
  const called = calls.length > 0 && html`<p class="meta">calls ${names.join(', ')}${more}</p>`
  return said('assistant', 'Assistant', entry, facts, interrupted && 'interrupted', html`${called}`)
}

function context(entry: Of<'context'>, facts: EntryFacts): Markup {
  return html`<details class="entry context${shadowedClass(entry)}"${facts.anchor}><summary><span class="who tone-dim">Context</span> from ${brief(entry.source)} ${meta(entry, facts)}</summary>
<pre>${lines(entry.text)}</pre>${cutNote(entry)}</details>
`
}

function tool(entry: Of<'tool'>, facts: EntryFacts): Markup {
  const { isError, name, callId, callSeq, omitted, text } = entry
  const outcome = isError ? 'failed' : undefined
  const call = callSeq === undefined ? undefined : `called at #${callSeq}`
  const took = entry.duration === undefined ? undefined : `took ${spanText(entry.duration)}`
  const state = [outcome, took, call].filter((part) => part !== undefined).join(', ')
  const result =
    omitted === undefined
      ? html`<pre>${lines(text)}</pre>`
      : html`<p class="note">${plural(omitted, 'character')} left out</p>`
  return html`<details class="entry ${isError ? 'failed' : 'tool'}${shadowedClass(entry)}"${facts.anchor}><summary><span class="who tone-${isError ? 'error' : 'tool'}">Tool</span> ${callHead(name ?? callId, entry.arguments)} ${meta(entry, facts, state)}</summary>
${callBody(entry.arguments)}<p class="label">result</p>${result}${cutNote(entry)}</details>
`
}

function unfinishedCall(entry: Of<'unfinished'> & { what: 'tool-call' }, facts: EntryFacts): Markup {
  const state = entry.started ? 'started, and no result followed' : 'never started'
  return html`<details class="entry unfinished"${facts.anchor}><summary><span class="who tone-warning">Tool</span> ${callHead(entry.name, entry.arguments)} ${meta(entry, facts, state)}</summary>
${callBody(entry.arguments)}${cutNote(entry)}</details>
`
}

function failure(entry: Of<'failure'>, facts: EntryFacts): Markup {
  return html`<article class="entry failed"${facts.anchor}><p><span class="who tone-error">${failureText(entry)}</span> ${meta(entry, facts)}</p>
${entry.text !== '' && longText(entry.text)}${cutNote(entry)}</article>
`
}

function gap(entry: Of<'gap'>, { anchor, badge }: EntryFacts): Markup {
  const texts = gapTexts(entry.gap)
  const list = texts.length > 0 && html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`
  return html`<div class="mark gap"${anchor}><p><strong>Gap.</strong> ${gapText(entry.gap)}. ${badge}</p>
${list && html`<p class="note">What can be read of it:</p>${list}`}</div>
`
}

function callHead(name: string, args: string | undefined): Markup {
  return html`<strong>${brief(name)}</strong>${args !== undefined && html` <code>${brief(args)}</code>`}`
}

/** Most characters of a name, or of arguments in the head of a card. */
const HEAD_UNITS = 100

function brief(text: string): string {
  return excerptOf(text, HEAD_UNITS)
}

/** As it is in the log: what is not JSON has to be seen, too. */
function callBody(args: string | undefined): Markup {
  if (args === undefined) return html`<p class="note">No message announced this call.</p>`
  return html`<p class="label">arguments</p><pre>${lines(args)}</pre>`
}

function compaction(entry: Of<'compaction'>, { anchor, badge, step }: EntryFacts): Markup {
  const tokens = entry.hiddenTokens === undefined ? '' : `, about ${plural(entry.hiddenTokens, 'token')}`
  const range = step === undefined ? '' : ` (#${step.first} to #${step.last})`
  const types = step === undefined ? '' : `: ${typesText(step.hiddenTypes)}`
  const summary =
    step?.summary === undefined
      ? html`<p class="note">The log holds no summary of it.</p>`
      : html`<details><summary>The summary that the model got instead</summary><pre>${lines(step.summary)}</pre></details>`
  return html`<div class="mark compaction"${anchor}><p><strong>Compaction.</strong> From here on the model no longer saw ${plural(entry.hidden, 'message')}${range}${tokens}${types}. <span class="meta">${metaOf(entry)}</span> ${badge}</p>
${summary}</div>
`
}

const TYPE_NAMES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  'user/message': ['message of a user or plugin', 'messages of users or plugins'],
  'assistant/message': ['answer', 'answers'],
  'tool/result': ['tool result', 'tool results'],
  'system/message': ['system message', 'system messages'],
  'context/message': ['context', 'contexts'],
}

export function typesText(types: Readonly<Record<string, number>>): string {
  return Object.entries(types)
    .map(([type, count]) => plural(count, ...(TYPE_NAMES[type] ?? [type, type])))
    .join(', ')
}

function thoughts(reasoning: string | undefined): Markup | undefined {
  if (reasoning === undefined || reasoning === '') return undefined
  return html`<details><summary class="meta">reasoning, ${plural(reasoning.length, 'character')}</summary><pre>${lines(reasoning)}</pre></details>\n`
}

/** Of a longer text the beginning is shown, and the rest is folded. */
const LONG_UNITS = 4000
const LONG_LINES = 60

function longText(text: string): Markup {
  const end = beginningLength(text)
  if (end === text.length) return html`<pre class="said">${lines(text)}</pre>`
  const rest = text.slice(end)
  return html`<pre class="said">${lines(text.slice(0, end))}</pre><details><summary class="meta">the rest, ${plural(rest.length, 'character')}</summary><pre class="said">${lines(rest)}</pre></details>`
}

/** Ends at a line feed where there is one near, and never inside of a character. */
function beginningLength(text: string): number {
  let end = 0
  for (let line = 0; line < LONG_LINES; line++) {
    const next = text.indexOf('\n', end)
    if (next === -1 || next >= LONG_UNITS) {
      if (end === 0) break
      return next === -1 && text.length <= LONG_UNITS ? text.length : end
    }
    end = next + 1
  }
  return end > 0 ? end : beginningOf(text, LONG_UNITS).length
}

function meta(entry: ShortEntry, { badge, isInherited }: EntryFacts, state?: string): Markup {
  const facts = [state, isInherited ? 'inherited' : undefined, seenText(entry)].filter(
    (fact) => fact !== undefined && fact !== '',
  )
  return html`<span class="meta">${facts.length > 0 && `${facts.join(', ')} · `}${metaOf(entry)}</span>${badge && html` ${badge}`}`
}

/** Whether the model still sees the message. */
function seenText(entry: ShortEntry): string | undefined {
  if (!isMessage(entry)) return undefined
  const { replacedBy } = entry
  return replacedBy === undefined
    ? 'seen by the model'
    : `the model no longer sees it (replaced by #${replacedBy})`
}

function shadowedClass(entry: ShortEntry): string {
  return isMessage(entry) && entry.replacedBy !== undefined ? ' shadowed' : ''
}

function metaOf({ seq, time }: ShortEntry): Markup {
  return html`#${seq} · <span title="${momentText(time)} UTC">${clockText(time)}</span>`
}

function cutNote({ cut }: ShortEntry): Markup | undefined {
  if (cut === undefined) return undefined
  return html`<p class="note">${plural(cut, 'character')} left out; resurface transcript shows all.</p>`
}
