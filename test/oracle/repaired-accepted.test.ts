/**
 * What DSH 0.1.0-rc.8 opens, a repair always brings to at least what DSH makes of it: odd logs from the specification,
 * and valid ones with one thing changed. There is nothing to repair, or a plan; what comes of it opens, and holds every
 * message that DSH shows.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isJsonObject, type JsonValue } from '../../src/core/json/json-value.ts'
import { part, runs } from '../support/effort.ts'
import { repair } from '../support/run-repair.ts'
import { tempDir } from '../support/temp-dir.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { draftBytes } from './draft-log.ts'
import { DshProcess, missingOracle } from './dsh-process.ts'
import { mutationFamilies } from './mutations/all-mutations.ts'
import { Random } from './random.ts'
import { randomLog } from './random-log.ts'
import { specifiedLog } from './specified/specified-log.ts'

const seed = process.env.RESURFACE_SEED ?? 'resurface'
const MOST_TRIES = 20
const CHANGE_WORDS: ReadonlySet<string> = new Set(['set-identities', 'note-results', 'note-exchanges'])

interface Tried {
  readonly name: string
  readonly text: string | Buffer
}

function* specified(count: number): Iterable<Tried> {
  for (let index = 0; index < count; index++) {
    const { text, twists } = specifiedLog(new Random(`${seed} accepted ${index}`))
    yield { name: `${index}: ${twists.join(', ')}`, text }
  }
}

function* mutated(count: number): Iterable<Tried> {
  for (const [family, mutations] of Object.entries(mutationFamilies))
    for (const mutation of part(mutations, 10))
      for (let index = 0; index < count; index++)
        for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
          const random = new Random(`${seed} accepted ${mutation.name} ${index} ${attempt}`)
          const draft = randomLog(random, mutation.wish)
          if (!mutation.apply(draft, random)) continue
          yield { name: `${family}: ${mutation.name}`, text: draftBytes(draft) }
          break
        }
}

describeUnlessMissing(missingOracle(), `repairs of accepted logs, RESURFACE_SEED=${seed}`, () => {
  let dsh: DshProcess
  beforeAll(() => {
    dsh = new DshProcess()
  })
  afterAll(() => dsh.stop())

  /** What is wrong about the repair of a log that DSH opens; nothing for one that it does not. */
  async function fault({ name, text }: Tried): Promise<{ accepted: boolean; fault?: object }> {
    const folder = tempDir()
    const path = join(folder, 'log.jsonl')
    const output = join(folder, 'repaired.jsonl')
    writeFileSync(path, text)
    const before = await dsh.ask(path)
    const accepted = before.accepted
    if (!before.accepted) return { accepted }
    const { data, stderr } = await repair(path, '-o', output)
    if (stderr !== '') return { accepted, fault: { name, text: String(text), stderr } }
    if (data.refused !== undefined)
      return { accepted, fault: { name, text: String(text), refused: data.refused } }
    if (!existsSync(output))
      return { accepted, ...(data.steps.length > 0 && { fault: { name, text: String(text) } }) }
    const after = await dsh.ask(output)
    if (!after.accepted) return { accepted, fault: { name, text: String(text), error: after.error } }
    const kept = messagesIn(readFileSync(output, 'utf8'))
    for (const message of after.messages) kept.add(wordsOf(message as JsonValue))
    const lost = before.messages.filter((message) => !kept.has(wordsOf(message as JsonValue)))
    rmSync(folder, { recursive: true })
    // Calls without an id get one, and what no provider takes is shown as text.
    const changesWords = data.steps.some(({ kind }) => CHANGE_WORDS.has(kind))
    return {
      accepted,
      ...(lost.length > 0 && !changesWords && { fault: { name, text: String(text), lost } }),
    }
  }

  test.each([
    ['written from the specification', () => specified(runs(6000, 100))],
    ['valid but for one thing', () => mutated(runs(6, 1))],
  ])('%s', { timeout: 3_600_000 }, async (_name, logs) => {
    const faults: object[] = []
    let accepted = 0
    for (const tried of logs()) {
      const { accepted: isAccepted, fault: found } = await fault(tried)
      if (isAccepted) accepted++
      if (found !== undefined) faults.push(found)
    }
    expect(faults.slice(0, 5)).toEqual([])
    expect(accepted).toBeGreaterThan(20)
  })
})

/** Role and content of every message of a log, on the surface or not. */
function messagesIn(log: string): Set<string> {
  const rows = log.trimEnd().split('\n').slice(1)
  return new Set(
    rows.flatMap((line) => {
      const { type, data } = JSON.parse(line)
      if (!isJsonObject(data)) return []
      const own = type === 'assistant/message' ? { role: 'assistant', ...data } : data
      return [own, data.message ?? {}].map(wordsOf)
    }),
  )
}

function wordsOf(message: JsonValue): string {
  const { role, content } = isJsonObject(message) ? message : {}
  return JSON.stringify([role, content])
}
