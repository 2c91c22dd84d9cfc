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

/** What a provider would refuse; `undefined` when it takes the messages. An id announced twice is answered twice. */
export function providerProblem(messages: readonly unknown[]): string | undefined {
  let waiting: (string | undefined)[] = []
  for (const [index, { role, content }] of (messages as readonly ProviderMessage[]).entries()) {
    const results = content.filter(({ type }) => type === 'tool-result')
    for (const { toolCallId } of results) {
      const at = waiting.indexOf(toolCallId)
      if (at < 0) return `message ${index}: result ${toolCallId} answers no call`
      waiting.splice(at, 1)
    }
    if (results.length > 0) continue
    if (waiting.length > 0) return `message ${index}: calls ${waiting} have no result`
    if (role === 'assistant') waiting = content.filter(({ type }) => type === 'tool-call').map(({ id }) => id)
  }
  return waiting.length > 0 ? `calls ${waiting} have no result` : undefined
}
