/** What a command is given when nobody asked for anything special. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import type { CommandContext } from '../../src/commands/definition/command.ts'
import { DEFAULT_POLICY } from '../../src/core/findings/policy.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'

export function commandContext(more: Partial<CommandContext> = {}): CommandContext {
  return {
    limits: DEFAULT_LIMITS,
    failOn: 'error',
    failsOnFindings: false,
    policy: DEFAULT_POLICY,
    storeRoot: join(tmpdir(), 'no-such-store'),
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    opened: new Set(),
    now: () => 1_700_000_000_000,
    output: undefined,
    list: { endsWithNul: false, exclude: [], allowEmpty: false },
    ...more,
  }
}
