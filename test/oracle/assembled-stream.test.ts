/** Random streams, sound and odd: what resurface assembles of them is what the assembler of DSH makes of them. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect } from 'vitest'
import { AssembledStream } from '../../src/core/event/assembled-stream.ts'
import type { JsonObject, JsonValue } from '../../src/core/json/json-value.ts'
import { runs } from '../support/effort.ts'
import { testUnlessMissing } from '../support/unless-missing.ts'

const ASSEMBLER = fileURLToPath(
  new URL('node_modules/@deepseek-ai/dsh-llm/lib/types/assembler.js', import.meta.url),
)
const missing = existsSync(ASSEMBLER)
  ? undefined
  : 'test/oracle is not installed: run "npm run oracle:install"'

interface BlockAssembler {
  push(chunk: JsonObject): void
  blocks(): readonly JsonValue[]
  interruptedBlocks(): readonly JsonValue[]
  readonly usage: JsonValue | undefined
  readonly replayState: JsonValue | undefined
}

const index = fc.nat(2)
const text = fc.constantFrom('', ' ', 'a', 'bc')
const blockType = fc.constantFrom('text', 'reasoning', 'tool-call', 'image')
const closed = fc.record({ type: blockType, text })
const chunk: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ type: fc.constant('block-start'), index, blockType }),
  fc.record({ type: fc.constantFrom('text-delta', 'reasoning-delta'), index, text }),
  fc.record(
    {
      type: fc.constant('tool-call-delta'),
      index,
      id: fc.constantFrom('', 'c1', 'c2'),
      name: fc.constantFrom('', 'bash'),
      argumentsDelta: text,
    },
    { requiredKeys: ['type', 'index', 'id', 'argumentsDelta'] },
  ),
  fc.record({ type: fc.constant('block-end'), index, block: closed }),
  fc.record({ type: fc.constant('usage'), usage: fc.record({ inputTokens: fc.nat(9) }) }),
  fc.record(
    {
      type: fc.constant('finish'),
      reason: fc.record({ kind: fc.constantFrom('stop', 'tool-calls', 'max-tokens') }),
      replayState: fc.record(
        { response: fc.constant({ id: 'r' }), blocks: fc.array(fc.nat(9), { maxLength: 3 }) },
        { requiredKeys: ['response'] },
      ),
    },
    { requiredKeys: ['type', 'reason'] },
  ),
) as fc.Arbitrary<JsonObject>

testUnlessMissing(missing, 'blocks, usage and replay state', async () => {
  const { BlockAssembler } = (await import(ASSEMBLER)) as { BlockAssembler: new () => BlockAssembler }
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 12 }), (chunks) => {
      const theirs = new BlockAssembler()
      const ours = new AssembledStream()
      for (const each of chunks) {
        theirs.push(each)
        ours.push(each)
      }
      const blocks = orUndefined(() => theirs.blocks())
      expect(ours.content()).toEqual(blocks)
      expect(ours.content(true)).toEqual(theirs.interruptedBlocks())
      expect(ours.usage).toEqual(theirs.usage)
      if (blocks !== undefined) expect(ours.replayState).toEqual(theirs.replayState)
    }),
    { numRuns: runs(5000) },
  )
})

function orUndefined<Value>(ask: () => Value): Value | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
