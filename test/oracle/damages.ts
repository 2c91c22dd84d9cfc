/** What happens to logs in the field, as changes of the lines of a whole log: each leaves some of it lost or doubled. */
import type { Random } from './random.ts'

type Lines = readonly string[]

export interface Damage {
  readonly name: string
  /** The lines after the header. */
  readonly apply: (lines: Lines, random: Random) => Lines
  /** Every record is still there, in another layout. */
  readonly keepsAll?: true
}

export const damages: readonly Damage[] = [
  { name: 'a line is lost', apply: (lines, random) => without(lines, place(lines, random), 1) },
  { name: 'some lines are lost', apply: (lines, random) => without(lines, place(lines, random), 3) },
  { name: 'a line is written twice', apply: (lines, random) => again(lines, place(lines, random), 1) },
  { name: 'a block is written twice', apply: (lines, random) => again(lines, place(lines, random), 5) },
  { name: 'two lines change places', apply: swapped },
  { name: 'a line is cut and the next one glued to it', apply: spliced },
  { name: 'garbage is between the lines', apply: (lines, random) => inserted(lines, random, '%%%') },
  { name: 'NUL bytes stand before a line', apply: padded },
  { name: 'a line is overwritten', apply: (lines, random) => lines.with(place(lines, random), '{"type":') },
  { name: 'the log ends early', apply: (lines, random) => lines.slice(0, place(lines, random) + 1) },
  { name: 'some lines are indented', apply: indented, keepsAll: true },
  { name: 'lines are broken between their tokens', apply: brokenBetweenTokens, keepsAll: true },
  { name: 'lines are joined', apply: joined, keepsAll: true },
  { name: 'marks are around a line', apply: marked, keepsAll: true },
  {
    name: 'a line is in a string',
    apply: (lines, random) => changed(lines, random, JSON.stringify),
    keepsAll: true,
  },
  { name: 'a second writer goes on from an earlier event', apply: forked },
]

function place(lines: Lines, random: Random): number {
  return random.whole(0, lines.length - 1)
}

function without(lines: Lines, at: number, count: number): Lines {
  return lines.toSpliced(at, count)
}

function again(lines: Lines, at: number, count: number): Lines {
  return lines.toSpliced(at + count, 0, ...lines.slice(at, at + count))
}

function swapped(lines: Lines, random: Random): Lines {
  const at = Math.min(place(lines, random), lines.length - 2)
  return lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? '')
}

function spliced(lines: Lines, random: Random): Lines {
  const at = Math.min(place(lines, random), lines.length - 2)
  const half = (lines[at] ?? '').slice(0, (lines[at] ?? '').length >> 1)
  return lines.toSpliced(at, 2, half + (lines[at + 1] ?? ''))
}

function inserted(lines: Lines, random: Random, line: string): Lines {
  return lines.toSpliced(place(lines, random), 0, line)
}

function changed(lines: Lines, random: Random, change: (line: string) => string): Lines {
  const at = place(lines, random)
  return lines.with(at, change(lines[at] ?? ''))
}

function indented(lines: Lines, random: Random): Lines {
  const again = (line: string): string => JSON.stringify(JSON.parse(line), null, random.whole(1, 4))
  return changed(changed(lines, random, again), random, again)
}

function brokenBetweenTokens(lines: Lines, random: Random): Lines {
  return changed(lines, random, (line) => JSON.stringify(JSON.parse(line), null, 1).replaceAll(/\n */g, '\n'))
}

function joined(lines: Lines, random: Random): Lines {
  const at = place(lines, random)
  const between = random.pick(['', ' ', ',', ', ', '\r', '\0\0'])
  return lines.toSpliced(at, 3, lines.slice(at, at + 3).join(between))
}

function marked(lines: Lines, random: Random): Lines {
  const mark = (line: string): string =>
    random.pick([`${line},`, `,${line}`, `[${line}]`, `\ufeff${line}`, `${line};`, `\x1e${line}`])
  return changed(changed(lines, random, mark), random, mark)
}

function padded(lines: Lines, random: Random): Lines {
  const at = place(lines, random)
  return lines.with(at, '\0'.repeat(512) + lines[at])
}

/** The second writer knows the log up to a place only, and writes what the first one wrote, at another time. */
function forked(lines: Lines, random: Random): Lines {
  const at = place(lines, random)
  const branch = lines
    .slice(at)
    .map((line) => line.replace(/"time(0?)":(\d+)/, (_, zero, time) => `"time${zero}":${Number(time) + 1}`))
  return [...lines, ...branch]
}
