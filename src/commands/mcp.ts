/** `mcp`: a server of the Model Context Protocol on standard input and output. What it offers is in `mcp/tools.ts`. */
import { reportSetOf } from '../report/report.ts'
import { ToolError } from '../storage/tool-error.ts'
import { defineCommand } from './definition/command.ts'
import { value, withDefault } from './definition/option.ts'
import { parseBytes } from './definition/option-values.ts'

export const command = defineCommand({
  arguments: [
    ['[roots...]', 'folders that may be read, with all below; the store of DSH when none is named'],
  ],
  options: {
    maxAnswer: withDefault(
      value('<size>', parseBytes, 'longest answer; what is longer is cut, and says so'),
      100 * 1024,
      '100K',
    ),
  },
  examples: ['resurface mcp', 'resurface mcp ~/.dsh/sessions ./logs --max-answer 40K'],
  notes: [
    'A client starts this command and speaks to it over standard input and output; it ends when the client goes.',
    'docs/mcp.md shows how DSH, Claude Code and others are told to. Links that lead out of the folders are not followed.',
  ],
  run: async ([roots], { maxAnswer }, context) => {
    if (context.stdin.isTTY === true)
      throw new ToolError(
        'usage',
        'a client speaks to this command over standard input, and here is a terminal',
        'docs/mcp.md shows how clients are told to start it.',
      )
    const { serve } = await import('./mcp/server.ts')
    const calls = await serve(roots.length > 0 ? roots : [context.storeRoot], maxAnswer, context)
    const reportSet = reportSetOf({ schema: 'resurface/mcp@1', findings: [], data: { calls } })
    // Standard output belongs to the protocol.
    return { reportSet, exitCode: 0, bytes: new Uint8Array() }
  },
})
