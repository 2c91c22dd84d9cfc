/** Blocks that format 4 does not take where they are (format.md §4.5): what they hold stays, and the message with it. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/json/json-value.ts'
import { readBack, wholeLog, written } from '../support/containers.ts'
import { type LaterLog, later, laterBase, textBlock } from '../support/later-log.ts'
import { repairing } from '../support/repairing.ts'

const HELLO = textBlock('hello')
const WRAPPER = { type: 'tool-result', toolCallId: 'c1', content: [HELLO] }
const REMOVAL = { type: 'tool-removal', toolName: 'bash' }
const waiting = (content: readonly JsonObject[]): JsonObject => ({
  target: 'next-turn',
  start: 0,
  inserted: [{ id: 'w', role: 'user', source: { kind: 'user' }, content: [...content] }],
})

const TOOL = { name: 'bash', description: 'd', parameters: {} }
const developer = (block: JsonObject): LaterLog =>
  later().turn((turn) =>
    turn.step((step) => step.system().request([TOOL]).developer([block], { headerSeq: 3 })),
  )

test.each<[what: string, log: LaterLog, sound: LaterLog]>([
  ['a wrapper in a user message', laterBase().content([WRAPPER]), laterBase().content([HELLO])],
  [
    'a wrapper of a text',
    laterBase().content([{ ...WRAPPER, content: 'hello' }, HELLO]),
    laterBase().content([HELLO, HELLO]),
  ],
  [
    'a change of tools in a user message',
    laterBase().content([REMOVAL, HELLO]),
    laterBase().content([HELLO]),
  ],
  [
    'a wrapper in a waiting message',
    laterBase().event('agent/inbox/spliced', waiting([WRAPPER])),
    laterBase().event('agent/inbox/spliced', waiting([HELLO])),
  ],
  [
    'a tool that is defined where it is added',
    developer({ type: 'tool-addition', toolName: 'bash', tool: TOOL }),
    developer({ type: 'tool-addition', toolName: 'bash' }),
  ],
])('%s', async (_what, log, sound) => {
  for (const container of ['plain', 'zstd'] as const) {
    const done = await repairing(await written(container, await wholeLog(log.bytes())))
    if (done.kind === 'refused') throw new Error(String(done.data.refused))
    expect(done.data.steps.map(({ kind }) => kind)).toEqual(['mend-rows'])
    const { events } = await readBack(await written('plain', await wholeLog(sound.bytes())))
    expect((await readBack(done.output)).events).toEqual(events)
    expect(done.pieces).toHaveLength(1)
  }
})

test('a message with nothing but a change of tools is left to the user', async () => {
  const path = await written('plain', await wholeLog(laterBase().content([REMOVAL]).bytes()))
  expect(await repairing(path)).toMatchObject({ kind: 'refused', exitCode: 5 })
})
