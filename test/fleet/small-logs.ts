/**
 * A fleet of small sessions, the same for the same number. By hand, for measuring, with a Node that reads TypeScript:
 *
 *   node test/fleet/small-logs.ts COUNT FOLDER LIST
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LogBuilder, log } from '../support/log-builder.ts'

const DAY = 86_400_000
const MODELS = ['fast', 'slow', 'slow'] as const
export const TOOLS = ['bash', 'edit', 'read'] as const

export const PERIOD = 20
export const DAMAGED = 11
const EARLY_PROMPT = 7

/** What is wrong with a log, by its number. */
const FAULTS: Readonly<Record<number, (built: LogBuilder) => LogBuilder>> = {
  5: (built) => built.openTurn((turn) => turn.user('more')),
  [DAMAGED]: (built) => built.drop(9),
  17: (built) => built.event('acme/note', { text: 'a plugin wrote it' }),
  19: (built) => built.torn('{"type":"turn/st'),
}
export function modelOf(number: number): string {
  return MODELS[number % MODELS.length] as string
}

export function sessionIdOf(number: number): string {
  return `session-00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

/** The tool of a session, and whether its call fails. */
export function toolOf(number: number): { readonly name: string; readonly fails: boolean } {
  return { name: TOOLS[(number % 7) % TOOLS.length] as string, fails: number % 7 === 3 }
}

/** The log of one session: two turns, a tool call, three kilobytes. */
export function smallLog(number: number): Buffer {
  const tool = toolOf(number)
  const usage = { inputTokens: 100 + (number % 10), outputTokens: 10, cacheReadTokens: 5 }
  const place = number % PERIOD
  const prompt = `Task ${number}: find out why the build fails, and say it in one sentence.`
  const built = log()
    .header({ id: sessionIdOf(number), cwd: `/w/project-${number % 4}` })
    .turn((turn) => {
      // Format 3 has no place for a message before the first step.
      if (place === EARLY_PROMPT) turn.user(prompt)
      turn.step((step) => {
        step.request()
        if (place !== EARLY_PROMPT) step.user(prompt)
        const first = step.nextSeq
        step.packed(['The build ', 'fails ', 'in the ', 'second ', 'step.'])
        step.assistant('The build fails in the second step.', {
          sources: Array.from({ length: 5 }, (_, index) => first + index),
          data: { usage },
        })
        step.call('c1', tool.name, '{"path":"build.log"}')
        step.result('c1', 'a line of the build\n'.repeat(20), { isError: tool.fails })
      })
    })
    .turn((turn) => turn.step((step) => step.user('Thanks.').assistant('', { sources: [], data: { usage } })))
  return aged((FAULTS[place]?.(built) ?? built).bytes(), number)
}

/** Ten days of sessions, of two models. */
function aged(bytes: Buffer, number: number): Buffer {
  const later = (number % 10) * DAY
  const change = (key: string, value: unknown): unknown => {
    if (key === 'time' || key === 'time0' || key === 'createdAt') return (value as number) + later
    return key === 'model' ? modelOf(number) : value
  }
  const lines = bytes.toString().split('\n')
  const tail = lines.pop() ?? ''
  return Buffer.from([...lines.map((line) => JSON.stringify(JSON.parse(line, change))), tail].join('\n'))
}

/** Writes the sessions as a store has them. @returns their paths. */
export function writeFleet(count: number, store: string): readonly string[] {
  return Array.from({ length: count }, (_, number) => {
    const folder = join(store, `--w-project-${number % 4}--`, sessionIdOf(number))
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'session.jsonl')
    writeFileSync(path, smallLog(number))
    return path
  })
}

const [, script, count, folder, list] = process.argv
if (script === import.meta.filename && folder !== undefined && list !== undefined)
  writeFileSync(
    list,
    writeFleet(Number(count), folder)
      .map((path) => `${path}\n`)
      .join(''),
  )
