/** What every provider demands of the messages it is sent: results right after their calls, one for each. */
import { isJsonObject } from '../../src/core/json/json-value.ts'

/** Of any format: results are messages of their own in format 4, and blocks of a user message before. */
interface ProviderMessage {
  readonly role?: unknown
  readonly content?: unknown
  readonly toolCallId?: unknown
}

/** What a provider would refuse; `undefined` when it takes the messages. An id announced twice is answered twice. */
export function providerProblem(messages: readonly unknown[]): string | undefined {
  let waiting: unknown[] = []
  for (const [index, message] of (messages as readonly ProviderMessage[]).entries()) {
    const answered = answeredBy(message)
    for (const id of answered) {
      const at = waiting.indexOf(id)
      if (at < 0) return `message ${index}: result ${id} answers no call`
      waiting.splice(at, 1)
    }
    if (answered.length > 0) continue
    if (waiting.length > 0) return `message ${index}: calls ${waiting} have no result`
    waiting = blocksOf(message, 'tool-call').map(({ id }) => id)
  }
  return waiting.length > 0 ? `calls ${waiting} have no result` : undefined
}

function answeredBy(message: ProviderMessage): readonly unknown[] {
  if (message.role === 'tool') return [message.toolCallId]
  return blocksOf(message, 'tool-result').map(({ toolCallId }) => toolCallId)
}

function blocksOf({ content }: ProviderMessage, type: string) {
  return Array.isArray(content) ? content.filter(isJsonObject).filter((block) => block.type === type) : []
}
