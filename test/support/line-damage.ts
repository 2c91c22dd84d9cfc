/** Logs with random damage to whole lines, for properties that hold of any log. */
import fc from 'fast-check'
import { rich, twoTurns } from './sample-logs.ts'

const GARBAGE = ['%%%', '', '{', 'null', '[]', '{"type":"acme/x"}', '\0\0']

/** The bytes of a log of which lines are missing, doubled, swapped, broken or strange, or the end is cut off. */
export const damagedLogs: fc.Arbitrary<Buffer> = fc
  .record({
    log: fc.constantFrom(rich(), twoTurns()),
    damages: fc.array(
      fc.record({
        kind: fc.constantFrom('drop', 'double', 'swap', 'garbage', 'other number', 'cut'),
        at: fc.nat(),
        other: fc.nat(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    torn: fc.nat({ max: 30 }),
  })
  .map(({ log, damages, torn }) => {
    const lines = log.lines().map(String)
    for (const { kind, at, other } of damages) {
      const index = 1 + (at % (lines.length - 1))
      const line = lines[index] as string
      if (kind === 'drop') lines.splice(index, 1)
      else if (kind === 'double') lines.splice(index, 0, line)
      else if (kind === 'swap') lines.splice(index, 2, lines[index + 1] ?? '', line)
      else if (kind === 'garbage') lines.splice(index, 0, GARBAGE[other % GARBAGE.length] as string)
      else if (kind === 'cut') lines[index] = line.slice(0, other % line.length)
      else lines[index] = line.replace(/"(turn|step|start|end)":\d+/, `"$1":${other % 9}`)
    }
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
    return bytes.subarray(0, bytes.length - torn)
  })
