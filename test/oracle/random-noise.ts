/** Log-only events that may be anywhere: known ones, and unknown ones that a reader may skip. */
import type { LogWriter } from './log-writer.ts'
import { randomText } from './random-messages.ts'

export function noise(writer: LogWriter): void {
  const { random } = writer
  const make = random.pick(NOISE)
  make(writer)
}

const NOISE: readonly ((writer: LogWriter) => void)[] = [
  (writer) => {
    const source = writer.random.pick([
      { kind: 'user' },
      { kind: 'fallback' },
      { kind: 'provider', provider: 'x' },
    ])
    writer.log('session/title', { title: randomText(writer.random), messageSeqs: [], source })
  },
  (writer) => {
    const commandId = writer.fresh('command')
    writer.log('command/run', { commandId, name: 'compact', source: { kind: 'user' } })
    writer.log('command/done', { commandId, kind: 'success', text: randomText(writer.random) })
  },
  (writer) => void writer.log('todo/write', { todos: [{ content: 'look', status: 'pending' }] }),
  (writer) => void writer.log('plan/mode', { active: writer.random.chance(0.5) }),
  (writer) => void writer.log('feedback/record', { text: randomText(writer.random) }),
  (writer) => void writer.log('approval/asked', { id: writer.fresh('approval'), toolName: 'bash' }),
  (writer) => void writer.log('sandbox/mode', { mode: 'read-only' }, { ignorable: true }),
  (writer) => void writer.log('later/thing', { any: ['thing'] }, { ignorable: true }),
  (writer) => void writer.log('constructor', null, { ignorable: true }),
]
