/** What is left to say when a client has gone. */
import { plural } from '../number-text.ts'
import type { View } from './view.ts'

export const mcpView: View<'mcp'> = {
  *sections({ data }) {
    yield { kind: 'fields', rows: [['answered', plural(data.calls, 'call')]] }
  },
}
