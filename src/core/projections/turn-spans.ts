/** The turns of a log as stretches of seqs and time, with how each ended and what it cost. For charts of a log. */

import { messageOf, type SessionEvent } from '../event/session-event.ts'
import { firstIndex } from '../json/first-index.ts'
import {
  listOf,
  logNumber,
  number,
  record,
  referencesTo,
  type Schema,
  type Static,
  text,
  whole,
} from '../json/json-schema.ts'
import { isJsonObject, objectIn } from '../json/json-value.ts'
import type { Reducer } from '../replay/reducer.ts'
import { LastItems } from './last-items.ts'
import { visibleText } from './message-text.ts'
import { beginningOf, excerptOf } from './shorten-entry.ts'
import { addUsage, type Tokens } from './statistics.ts'

const turnSpan = record(
  {
    /** Seqs and times of its first and its last event, in milliseconds since the epoch. */
    seq: whole,
    lastSeq: whole,
    time: number,
    lastTime: number,
    /** The reason (format.md §4.2), or {@link OPEN}. */
    outcome: {
      ...text,
      description: 'kind of reason that the turn end gives; ended without one, open without an end',
    },
    steps: whole,
    calls: whole,
  },
  {
    turn: logNumber,
    /** As the provider counted them; absent when the log holds no count. */
    tokens: referencesTo<{ tokens: Schema<Tokens> }>()('tokens'),
    prompt: { ...text, description: 'the first words of what the user said in it' },
  },
)

/** The last ones, at most {@link MOST_TURNS}, in log order. */
export const TURN_SPANS = record({ turns: listOf(turnSpan), leftOut: whole })

export type TurnSpan = Static<typeof turnSpan>
export type TurnSpans = Static<typeof TURN_SPANS>

export const MOST_TURNS = 5000

export const OPEN = 'open'

const LONGEST_OUTCOME = 40
const LONGEST_PROMPT = 80

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

export function turnSpans(): Reducer<TurnSpans> {
  const turns = new LastItems<TurnSpan>(MOST_TURNS)
  let open: Writable<TurnSpan> | undefined

  function close(outcome: string): void {
    if (open !== undefined) turns.push({ ...open, outcome })
    open = undefined
  }

  function count(event: SessionEvent, span: Writable<TurnSpan>): void {
    const { type, data } = event
    if (type === 'step/start') span.steps++
    else if (type === 'user/message' && span.prompt === undefined) {
      const prompt = promptOf(event)
      if (prompt !== '') span.prompt = prompt
    } else if (type === 'tool/call') span.calls++
    else if (type === 'assistant/message' && isJsonObject(data) && isJsonObject(data.usage)) {
      const sum = { ...(span.tokens ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }) }
      addUsage(sum, data.usage)
      span.tokens = sum
    }
  }

  return {
    onDeltas({ first, count, lastTime }) {
      if (open !== undefined) Object.assign(open, { lastSeq: first + count - 1, lastTime })
    },
    on({ event, cursor }) {
      const { type, seq, time } = event
      if (type === 'turn/start') {
        close(OPEN)
        const turn = cursor.openTurn
        const place = { seq, lastSeq: seq, time, lastTime: time }
        open = { ...(turn !== undefined && { turn }), ...place, outcome: OPEN, steps: 0, calls: 0 }
        return
      }
      if (open === undefined) return
      Object.assign(open, { lastSeq: seq, lastTime: time })
      if (type === 'turn/end') close(outcomeOf(event))
      else count(event, open)
    },
    finish() {
      close(OPEN)
      return { turns: turns.items(), leftOut: turns.leftOut }
    },
  }
}

/** Empty for what was not said by the user, and for a message without text. */
function promptOf(event: SessionEvent): string {
  const message = messageOf(event)
  const source = isJsonObject(message?.source) ? message.source.kind : undefined
  if (source !== 'user' || event.surfaceOp !== 'append') return ''
  const words = beginningOf(visibleText(message), 4 * LONGEST_PROMPT)
    .replace(/\s+/g, ' ')
    .trim()
  return excerptOf(words, LONGEST_PROMPT)
}

function outcomeOf({ data }: SessionEvent): string {
  const reason = objectIn(data).reason
  const kind = objectIn(reason).kind
  return typeof kind === 'string' && kind !== '' ? beginningOf(kind, LONGEST_OUTCOME) : 'ended'
}

/** The turn that a seq belongs to. */
export function turnAt(turns: readonly TurnSpan[], seq: number): TurnSpan | undefined {
  const span = turns[firstIndex(turns.length, (index) => (turns[index] as TurnSpan).seq <= seq) - 1]
  return span !== undefined && seq <= span.lastSeq ? span : undefined
}
