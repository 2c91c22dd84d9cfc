/**
 * A whole store: hundreds of sessions with troubles of all families, a crash tail here and there and five that cannot be
 * mended. One command, killed once in the middle and run again; then all that can open do, and `undo` gives back every byte.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../../../src/report/report.ts'
import { isFull } from '../../support/effort.ts'
import { runMain } from '../../support/run-main.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { describeUnlessMissing } from '../../support/unless-missing.ts'
import { type LogDraft, text, toolCall } from '../campaign/log-draft.ts'
import { Random } from '../random.ts'
import { missingReaders, ReadersProcess } from '../readers-process.ts'
import { TROUBLES, type Trouble } from './family-logs.ts'
import { troubledLog } from './troubled-log.ts'

const seed = process.env.RESURFACE_SEED ?? 'resurface'
const SESSIONS = isFull ? 300 : 60
const UNMENDABLE = 5
const BIN = fileURLToPath(new URL('../../../bin/resurface.js', import.meta.url))
const TIMEOUT = 600_000

/** What nothing in a log tells the value of. */
const HOPELESS: readonly ((draft: LogDraft) => void)[] = [
  (draft) => void draft.user([{ type: 'hologram', data: 1 }]),
  (draft) => void draft.event('approval/decided', { id: 'a', outcome: 'perhaps' }),
  (draft) => void draft.event('weather/seen', { sky: 'grey' }),
  (draft) => void draft.user([text('whose')], { kind: 'plugin', plugin: '' }),
  (draft) => void draft.answer({ content: [toolCall('call-x', '')] }),
]

interface Store {
  readonly root: string
  readonly logs: ReadonlyMap<string, string>
  readonly hopeless: ReadonlySet<string>
}

function makeStore(): Store {
  const root = tempDir()
  const random = new Random(`${seed} store`)
  const logs = new Map<string, string>()
  const hopeless = new Set<string>()
  const usual = TROUBLES.filter(({ allowUnknown }) => allowUnknown !== true)
  for (let index = 0; index < SESSIONS; index++) {
    const id = `session-${String(index).padStart(3, '0')}`
    const path = join(root, '_no-cwd', id, 'session.jsonl')
    const isHopeless = index % Math.floor(SESSIONS / UNMENDABLE) === 3
    const write = HOPELESS[hopeless.size % HOPELESS.length] as Trouble['write']
    const troubles: Trouble[] = isHopeless
      ? [{ family: 'members', name: 'hopeless', write }]
      : random.shuffled(usual).slice(0, random.whole(0, 3))
    const whole = troubledLog(troubles, { id })
    const log = !isHopeless && random.chance(0.1) ? `${whole}{"type":"turn/st` : whole
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, log)
    logs.set(path, log)
    if (isHopeless) hopeless.add(path)
  }
  return { root, logs, hopeless }
}

/** Runs the command line and kills it as soon as some logs have been replaced. */
async function killedInTheMiddle(root: string): Promise<void> {
  const child = spawn(process.execPath, [BIN, 'repair', root, '--target', 'format-3', '--in-place'], {
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  while (backupsIn(root) < SESSIONS / 4 && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 5))
  child.kill('SIGKILL')
  await ended
}

function backupsIn(root: string): number {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.before-'))
    .length
}

describeUnlessMissing(missingReaders(), `a store, RESURFACE_SEED=${seed}`, () => {
  let readers: ReadersProcess
  beforeAll(() => {
    readers = new ReadersProcess()
  })
  afterAll(() => readers.stop())

  const opens = async (log: string): Promise<boolean> =>
    Object.values(await readers.ask(log)).every((answer) => answer.opens)

  async function rehearsed(root: string, logs: Store['logs'], hopeless: Store['hopeless']): Promise<void> {
    const { stdout } = await runMain(['check', root, '--target', 'format-3', '--json'])
    const reports = (JSON.parse(stdout) as { reports: readonly Report<'check'>[] }).reports
    expect(reports.length).toBe(SESSIONS)
    for (const { subject, data } of reports) {
      const path = subject?.path as string
      const isOpen = data.compatibility.find(({ release }) => release === 'format-3')?.opens
      expect(isOpen, path).toBe((await readers.ask(logs.get(path) as string))[3]?.opens)
      expect(data.rehearsal?.opensRepaired, path).toBe(!hopeless.has(path))
    }
  }

  test('is mended by one command, and by another brought back', { timeout: TIMEOUT }, async () => {
    const { root, logs, hopeless } = makeStore()
    await rehearsed(root, logs, hopeless)
    await killedInTheMiddle(root)
    for (const [path, before] of logs) {
      const now = readFileSync(path, 'utf8')
      expect(now === before || (await opens(now)), path).toBe(true)
    }
    const upgrade = ['repair', root, '--target', 'format-3', '--in-place', '--json']
    const { stdout, exitCode } = await runMain(upgrade)
    expect(exitCode).toBe(5)
    const { reports } = JSON.parse(stdout) as { reports: { data: { refused?: string[] } }[] }
    expect(reports.length).toBe(SESSIONS)
    expect(reports.filter(({ data }) => data.refused !== undefined).length).toBe(hopeless.size)
    for (const [path, before] of logs) {
      const now = readFileSync(path, 'utf8')
      if (hopeless.has(path)) expect(now).toBe(before)
      expect(await opens(now), path).toBe(!hopeless.has(path))
    }
    const mended = new Map([...logs.keys()].map((path) => [path, readFileSync(path, 'utf8')]))
    await runMain(upgrade)
    for (const [path, log] of mended) expect(readFileSync(path, 'utf8'), path).toBe(log)
    await runMain(['undo', root])
    for (const [path, before] of logs) expect(readFileSync(path, 'utf8'), path).toBe(before)
  })
})
