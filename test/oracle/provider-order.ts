/** What every provider demands of the messages it is sent: results right behind their calls, one for each. */

interface Block {
  readonly type: string
  readonly id?: string
  readonly toolCallId?: string
}

interface ProviderMessage {
  readonly role: string
  readonly content: readonly Block[]
}

/** What a provider would refuse; `undefined` when it takes the messages. */
export function providerProblem(messages: readonly unknown[]): string | undefined {
  let waiting = new Set<string | undefined>()
  for (const [index, { role, content }] of (messages as readonly ProviderMessage[]).entries()) {
    const results = content.filter(({ type }) => type === 'tool-result')
    for (const { toolCallId } of results) {
      if (!waiting.delete(toolCallId)) return `message ${index}: result ${toolCallId} answers no call`
    }
    if (results.length > 0) continue
    if (waiting.size > 0) return `message ${index}: calls ${[...waiting]} have no result`
    if (role === 'assistant')
      waiting = new Set(content.filter(({ type }) => type === 'tool-call').map(({ id }) => id))
  }
  return waiting.size > 0 ? `calls ${[...waiting]} have no result` : undefined
}
