/**
 * Random words in every place of a log, and none of them in its copy: in every member of every event type, in members
 * and types that nobody knows, in ids, paths, arguments and lines that do not parse.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rowShape, SHAPED_TYPES } from '../../src/core/anonymize/event-shapes.ts'
import type { Shape } from '../../src/core/anonymize/shape.ts'
import type { JsonValue } from '../../src/core/json/json-value.ts'
import { anonymized, answersOn, textOf } from '../support/anonymizing.ts'
import { runs } from '../support/effort.ts'
import { framed } from '../support/frames-of-lines.ts'
import { later } from '../support/later-log.ts'
import { log } from '../support/log-builder.ts'
import { tempFile } from '../support/temp-dir.ts'

/** Letters that no word of the format has so many of, in cases that vary; some words are of another script. */
const latin = fc.string({
  unit: fc.constantFrom(...'bcdfgjkqvwzBCDFGJKQVWZ'),
  minLength: 5,
  maxLength: 12,
})
const foreign = fc.string({ unit: fc.constantFrom(...'äßéжщ漢字語あ한𐐷'), minLength: 4, maxLength: 8 })
const word = fc.oneof({ weight: 4, arbitrary: latin }, { weight: 1, arbitrary: foreign })

/** Gives the words of a log in the order in which they are asked for, and remembers them. */
class Secrets {
  readonly #words: readonly string[]
  readonly given = new Set<string>()
  #next = 0

  constructor(words: readonly string[]) {
    this.#words = words
  }

  word(): string {
    const found = this.#words[this.#next++ % this.#words.length] as string
    this.given.add(found)
    return found
  }

  /** Words as they are in texts. */
  text(): string {
    return `${this.word()} ${this.word()}, "${this.word()}"\n\t${this.word()}_${this.word()}(1234567) \\ ${this.word()}.`
  }

  id(): string {
    return `${this.word()}-${this.word()}`
  }

  path(): string {
    return `/${this.word()}/${this.word()}.${this.word()}`
  }

  anything(): JsonValue {
    const list = [this.word(), 7_654_321, -0.125, true, null, { [this.word()]: this.path() }]
    return {
      [this.word()]: this.text(),
      type: this.word(),
      text: this.word(),
      id: { name: this.word() },
      list,
    }
  }

  /** A value of this shape with a secret in every place that can hold one. */
  filled(shape: Shape): JsonValue {
    switch (shape.kind) {
      case 'string':
        return shape.what === 'texts' ? this.text() : shape.what === 'paths' ? this.path() : this.id()
      case 'object': {
        const known = [...shape.members].map(([name, member]) => [name, this.filled(member)])
        return Object.fromEntries([...known, [this.word(), this.anything()]])
      }
      case 'list':
        return [this.filled(shape.item), this.filled(shape.item)]
      case 'json':
        return JSON.stringify(this.anything())
      case 'piece':
        return this.text()
      case 'structure':
      case 'time':
        return this.word()
      case 'opaque':
        return this.anything()
    }
  }
}

const secrets = fc.array(word, { minLength: 30, maxLength: 60 }).map((words) => new Secrets(words))

/** A conversation with words of its own in every place that a builder has for one. */
function early(own: Secrets): Buffer {
  const [first, second] = [own.id(), own.id()]
  const given = JSON.stringify({
    [own.word()]: own.path(),
    [own.word()]: [own.text(), 12, { [own.word()]: null }],
  })
  const built = log()
    .header({
      id: own.id(),
      cwd: own.path(),
      parentSession: own.id(),
      agentPreset: own.word(),
      [own.word()]: own.word(),
    })
    .turn((turn) =>
      turn.user(own.text(), { kind: 'user', rpcId: own.id(), clientTimeZone: own.path() }).step((step) =>
        step
          .chunk(own.text())
          .packed([own.word(), own.text()])
          .assistant(own.text())
          .call(first, own.word(), given)
          .call(second, own.word(), own.text())
          .result(first, own.text(), { data: { meta: own.anything() } })
          .result(second, own.text(), {
            isError: true,
            data: { error: { name: own.word(), code: own.word() } },
          }),
      ),
    )
    .event(`${own.word()}/${own.word()}`, own.anything(), { ignorable: true })
    .event('session/title', { title: own.text(), messageSeqs: [1], source: { kind: 'fallback' } })
  built.compaction(built.surface[0] as number, built.surface.at(-1), own.text())
  const unanswered = own.id()
  return built
    .openTurn((turn) =>
      turn
        .user(own.text(), { kind: own.word() })
        .openStep((step) => step.assistant(own.text()).call(unanswered, own.word(), '{')),
    )
    .bytes()
}

function laterLog(version: 2 | 3 | 4, own: Secrets): Buffer {
  const [id, name, given] = [own.id(), own.word(), JSON.stringify(own.anything())]
  return later(version)
    .header({ id: own.id(), cwd: own.path(), agentPreset: own.word() })
    .turn((turn) =>
      turn.step((step) => {
        if (version >= 3) step.system()
        step
          .user(own.text())
          .assistant(own.text(), [{ id, name, arguments: given }])
          .call(id, name, given)
          .result(id)
      }),
    )
    .event(`${own.word()}/${own.word()}`, own.anything(), { ignorable: true })
    .bytes()
}

/** One event of every type with a secret in every member, in no order that makes sense. */
function everything(own: Secrets): Buffer {
  const built = log().header({ [own.word()]: own.anything() })
  for (const type of SHAPED_TYPES) {
    built.event(type, own.filled(rowShape(type).members.get('data') as Shape), { [own.word()]: own.word() })
    built.event(type, own.anything(), {
      surfaceOp: own.word(),
      sourceEventSeqs: [own.word()],
      ignorable: true,
    })
  }
  return built.event(own.word(), own.text(), { surfaceOp: { op: own.word() } }).bytes()
}

type Damage = (bytes: Buffer, at: number) => Buffer

/** What is done to the bytes of a log, at a place that grows with `at`. */
const DAMAGES: Readonly<Record<string, Damage>> = {
  none: (bytes) => bytes,
  cut: (bytes, at) => bytes.subarray(0, at),
  hole: (bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 40)]),
  'line feed lost': (bytes, at) => {
    const end = bytes.indexOf(10, at)
    return end === -1 ? bytes : Buffer.concat([bytes.subarray(0, end), bytes.subarray(end + 1)])
  },
  'line feed inside': (bytes, at) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from('\n'), bytes.subarray(at)]),
  zeros: (bytes, at) => Buffer.from(bytes).fill(0, at, at + 25),
  'no UTF-8': (bytes, at) => Buffer.from(bytes).fill(0xe9, at, at + 1),
  'lines again': (bytes, at) => {
    const start = bytes.indexOf(10, Math.min(at, bytes.length >> 1)) + 1
    return Buffer.concat([bytes, bytes.subarray(start)])
  },
}

const place = fc.record({
  kind: fc.constantFrom(...Object.keys(DAMAGES)),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
})

/** @returns whether a copy was written. */
async function sharesNothing(bytes: Buffer, own: Secrets, name = 'log.jsonl'): Promise<boolean> {
  const path = tempFile(bytes, name)
  const output = join(path, '..', name.replace('log', 'shared'))
  const { exitCode, stderr } = await anonymized(path, output)
  expect([0, 3, 5], stderr).toContain(exitCode)
  expect(existsSync(output)).toBe(exitCode === 0)
  expect(mentioned(stderr, own)).toEqual([])
  if (exitCode !== 0) return false
  expect(mentioned(await textOf(output), own)).toEqual([])
  expect(await answersOn(output, true)).toEqual(await answersOn(path, true))
  return true
}

function mentioned(text: string, { given }: Secrets): readonly string[] {
  const said = text.toLowerCase()
  return [...given].filter((secret) => said.includes(secret.toLowerCase()))
}

const LOGS: Readonly<Record<string, (own: Secrets) => Buffer>> = {
  'format 0': early,
  'format 2': (own) => laterLog(2, own),
  'format 3': (own) => laterLog(3, own),
  'format 4': (own) => laterLog(4, own),
  'every type': everything,
}

describe.each(Object.entries(LOGS))('%s', (name, build) => {
  const count = name === 'every type' ? 2 : 7

  test('a whole log: a copy that shares no word with it', async () => {
    await fc.assert(
      fc.asyncProperty(secrets, async (own) => {
        expect(await sharesNothing(build(own), own)).toBe(true)
      }),
      { numRuns: runs(count, 3) },
    )
  })

  test('a damaged log: such a copy, or none', async () => {
    let written = 0
    let all = 0
    await fc.assert(
      fc.asyncProperty(secrets, place, async (own, { kind, at }) => {
        const bytes = build(own)
        all++
        if (await sharesNothing(DAMAGES[kind]?.(bytes, Math.floor(at * bytes.length)) as Buffer, own))
          written++
      }),
      { numRuns: runs(3 * count, 3) },
    )
    expect(written).toBeGreaterThan(0.7 * all)
  })
})

test('a compressed log stays compressed, frame by frame', async () => {
  await fc.assert(
    fc.asyncProperty(secrets, fc.integer({ min: 1, max: 5 }), async (own, size) => {
      const lines = early(own).toString().trimEnd().split('\n')
      const bytes = await framed(
        lines.map((line) => Buffer.from(line)),
        size,
      )
      expect(await sharesNothing(bytes, own, 'log.jsonl.zstd')).toBe(true)
    }),
    { numRuns: runs(8) },
  )
})
