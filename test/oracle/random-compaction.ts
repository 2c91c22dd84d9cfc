/**
 * Replacements in a random log: compactions, also of compactions, so that the start of a range can be a greater
 * number than its end; prunes of tool results; and copies of assistant messages.
 */
import type { Row } from './draft-log.ts'
import type { LogWriter } from './log-writer.ts'
import { assistantMessage, randomText, textBlock } from './random-messages.ts'

/** @param turn - the open turn, or `null` between turns. */
export function compact(writer: LogWriter, turn: number | null): void {
  const { random, nodes } = writer
  const results = nodes.filter((seq) => writer.event(seq).type === 'tool/result')
  if (results.length > 0 && random.chance(0.5)) prune(writer, random.pick(results))
  else summarise(writer, turn)
}

function summarise(writer: LogWriter, turn: number | null): void {
  const { random, nodes } = writer
  const compactionId = writer.fresh('compaction')
  const start = writer.log('compaction/start', { compactionId, turn })
  if (nodes.length === 0 || random.chance(0.1)) {
    writer.log('compaction/end', { compactionId, turn, error: 'failed' })
    return
  }
  const from = random.chance(0.6) ? 0 : random.whole(0, nodes.length - 1)
  const to = random.whole(from, nodes.length - 1)
  const shadowedSeqs = nodes.slice(from, to + 1)
  const summary = writer.log('compaction/summary', {
    compactionId,
    summary: [textBlock(random)],
    shadowedRange: { start: nodes[from], end: nodes[to] },
    shadowedSeqs,
    shadowedTokenCount: 10,
    provider: 'deepseek',
    model: 'deepseek-chat',
  })
  const checkpoint = {
    id: writer.fresh('message'),
    role: 'user',
    content: [{ type: 'text', text: randomText(random) }],
    source: { kind: 'plugin', plugin: 'compact', compactionId },
  }
  writer.replace('user/message', checkpoint, from, to, random.chance(0.9) ? [start, summary] : [])
  writer.log('compaction/end', { compactionId, turn })
}

/** The members of a rewrite may come in any order; only the inner content may differ. */
function prune(writer: LogWriter, seq: number): void {
  const { random, nodes } = writer
  const at = nodes.indexOf(seq)
  writer.log('compaction/prune', {
    shadowedRange: { start: seq, end: seq },
    shadowedSeqs: [seq],
    shadowedTokenCount: 5,
  })
  const data = structuredClone(writer.event(seq).data) as { message: { content: [Row] } }
  data.message.content[0].content = random.chance(0.2) ? [] : [textBlock(random)]
  const { message, ...rest } = data
  writer.replace('tool/result', random.chance(0.5) ? data : { message, ...rest }, at, at, [])
}

/** No shipped writer does it, but format 0 lets an assistant message replace a range. */
export function rewriteWithAssistant(writer: LogWriter, turn: number, step: number): void {
  const { random, nodes } = writer
  if (nodes.length === 0) return
  const from = random.whole(0, nodes.length - 1)
  const to = Math.min(from + random.whole(0, 2), nodes.length - 1)
  const calls = random.chance(0.3) ? [{ id: writer.fresh('call'), name: 'bash', arguments: '{}' }] : []
  const message = assistantMessage(writer, calls)
  writer.replace('assistant/message', { turn, step, message }, from, to, [])
}
