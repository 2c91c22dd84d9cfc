/** Damage to the lines of a log: to their order, to their text, and to the JSON in them. */
import type { Random } from '../oracle/random.ts'

type Damage = (lines: string[], random: Random) => void

export function damageLines(lines: readonly string[], random: Random): { lines: string[]; done: string[] } {
  const copy = [...lines]
  const done: string[] = []
  for (let count = random.whole(0, 3); count > 0 && copy.length > 0; count--) {
    const [name, damage] = random.pick(Object.entries(DAMAGES))
    damage(copy, random)
    done.push(name)
  }
  return { lines: copy, done }
}

const HOSTILE = '\x1b[2J\u202eevil\u2066\x9b31m\u2028\u0007\u{e0041}'

const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  1e21,
  2 ** 53,
  '',
  '0',
  'append',
  HOSTILE,
  [],
  [0],
  [[0, 1]],
  [null],
  {},
  { op: 'replace', start: 0, end: 0 },
  { op: 'replace', startSeq: 0, endSeq: 0 },
  { kind: 'user' },
  { kind: 'tool', callId: null },
]

const NAMES = [
  'seq',
  'time',
  'data',
  'type',
  'surfaceOp',
  'sourceEventSeqs',
  'ignorable',
  'id',
  'role',
  'source',
  'content',
  'message',
  'turn',
  'step',
  'callId',
  'toString',
  '__proto__',
  HOSTILE,
]

const DAMAGES: Readonly<Record<string, Damage>> = {
  drop: (lines, random) => void lines.splice(place(lines, random), 1),
  double: (lines, random) => {
    const at = place(lines, random)
    lines.splice(at, 0, lines[at] as string)
  },
  swap: (lines, random) => {
    const [a, b] = [place(lines, random), place(lines, random)]
    ;[lines[a], lines[b]] = [lines[b] as string, lines[a] as string]
  },
  'drop a range': (lines, random) => void lines.splice(place(lines, random), random.whole(1, 6)),
  'double a range': (lines, random) => {
    const at = place(lines, random)
    lines.splice(place(lines, random), 0, ...lines.slice(at, at + random.whole(1, 8)))
  },
  shuffle: (lines, random) => {
    const [header = '', ...rest] = lines
    lines.splice(0, lines.length, header, ...random.shuffled(rest))
  },
  cut: (lines, random) => change(lines, random, (line) => line.slice(0, random.whole(0, line.length))),
  join: (lines, random) => {
    const at = place(lines, random)
    lines.splice(at, 2, lines.slice(at, at + 2).join(''))
  },
  split: (lines, random) => {
    const at = place(lines, random)
    const line = lines[at] as string
    const middle = random.whole(0, line.length)
    lines.splice(at, 1, line.slice(0, middle), line.slice(middle))
  },
  garbage: (lines, random) => void lines.splice(place(lines, random), 0, random.pick(GARBAGE)),
  spaces: (lines, random) => change(lines, random, (line) => line.replaceAll(/":/g, '" : ')),
  'CR LF': (lines) => lines.splice(0, lines.length, ...lines.map((line) => `${line}\r`)),
  'no header': (lines) => void lines.shift(),
  'a number changed': (lines, random) =>
    change(lines, random, (line) => {
      const numbers = [...line.matchAll(/-?\d+/g)]
      if (numbers.length === 0) return line
      const { index, 0: number } = random.pick(numbers)
      const other = random.pick([
        '-0',
        '0',
        '01',
        '1e3',
        `${number}.5`,
        `${number}0`,
        '-1',
        '9007199254740993',
      ])
      return line.slice(0, index) + other + line.slice(index + number.length)
    }),
  'a member twice': (lines, random) =>
    change(lines, random, (line) => line.replace(/("[a-zA-Z]+":)("[^"]*"|\d+)/, '$1$2,$1null')),
  'a value': (lines, random) =>
    inside(lines, random, (container, key) => {
      container[key] = random.pick(VALUES)
    }),
  'a member gone': (lines, random) =>
    inside(lines, random, (container, key) => {
      if (Array.isArray(container)) container.splice(Number(key), 1)
      else delete container[key]
    }),
  'a member more': (lines, random) =>
    inside(lines, random, (container) => {
      if (Array.isArray(container)) container.push(random.pick(VALUES))
      else container[random.pick(NAMES)] = random.pick(VALUES)
    }),
  'a member renamed': (lines, random) =>
    inside(lines, random, (container, key) => {
      if (Array.isArray(container)) return
      const value = container[key]
      delete container[key]
      container[random.pick([...NAMES, `${key}${HOSTILE}`, `${HOSTILE}${key}`])] = value
    }),
  'hostile text': (lines, random) =>
    inside(lines, random, (container, key) => {
      const value = container[key]
      container[key] = typeof value === 'string' ? `${HOSTILE}${value}` : HOSTILE
    }),
  'deep nesting': (lines, random) =>
    change(lines, random, (line) => {
      const depth = random.whole(50, 20_000)
      return line.replace(/"data":/, `"data":${'['.repeat(depth)}${']'.repeat(depth)},"x":`)
    }),
  'a long text': (lines, random) =>
    inside(lines, random, (container, key) => {
      container[key] = 'x'.repeat(random.whole(1000, 100_000))
    }),
}

const GARBAGE = [
  '%%%',
  '',
  ' ',
  '{',
  '{}',
  '[]',
  'null',
  '"text"',
  '\0\0\0',
  '\ufeff{}',
  '{"type":"session"}',
  '1',
]

function place(lines: readonly string[], random: Random): number {
  return random.whole(0, Math.max(lines.length - 1, 0))
}

function change(lines: string[], random: Random, of: (line: string) => string): void {
  if (lines.length === 0) return
  const at = place(lines, random)
  lines[at] = of(lines[at] as string)
}

type Container = Record<string, unknown>

/** Changes one member of one object or list of a line, however deep it is. */
function inside(lines: string[], random: Random, act: (container: Container, key: string) => void): void {
  change(lines, random, (line) => {
    try {
      const value: unknown = JSON.parse(line)
      const places = placesIn(value)
      if (places.length === 0) return line
      const [container, key] = random.pick(places)
      act(container as Container, key)
      return JSON.stringify(value)
    } catch {
      // No JSON, or too deep for ours.
      return line
    }
  })
}

function placesIn(value: unknown): [container: object, key: string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => [
    [value, key] as [object, string],
    ...placesIn(child),
  ])
}
