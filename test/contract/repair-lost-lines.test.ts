/**
 * A log of format 4 that lost a line, any of them. Its readers enforce what a turn consists of: what the lines around
 * the gap prove is put back into it, every other line keeps its place, and nothing goes to quarantine.
 */
import { expect, test } from 'vitest'
import { readBack } from '../support/containers.ts'
import { later } from '../support/later-log.ts'
import { kindsOf, mended } from '../support/repairing.ts'
import { tempFile } from '../support/temp-dir.ts'

function threeTurns(): string[] {
  const built = later()
  for (const id of ['c1', 'c2', 'c3']) {
    built.turn((turn) => {
      turn.step((step) => {
        if (id === 'c1') step.system()
        step.user('go on').request().tool(id)
      })
      turn.step((step) => step.request().assistant('done'))
    })
  }
  return built.text().trimEnd().split('\n')
}

const lines = threeTurns()
const types = lines.map((line) => JSON.parse(line).type as string)
const places = types.flatMap((type, place) => (place === 0 ? [] : [[place, type] as const]))
/** What the other lines prove. */
const PROVEN = new Set(['turn/start', 'turn/end', 'step/start', 'step/end', 'tool/call', 'tool/result'])

test.each(places)('line %i, a %s', async (place, type) => {
  const path = tempFile(`${lines.toSpliced(place, 1).join('\n')}\n`)
  const { output, pieces, exitCode, data } = await mended(path)
  const { events } = await readBack(output)
  expect(exitCode).toBe(0)
  expect(pieces).toEqual([])
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
  // The last line leaves no gap; the turn ends as after a crash.
  if (place === lines.length - 1) expect(kindsOf(data)).toEqual(['close-turn'])
  else if (PROVEN.has(type)) {
    expect(kindsOf(data)).toEqual(['fill-gap'])
    expect(events[place - 1]?.type).toBe(type)
    const others = events.map((event) => event.time).toSpliced(place - 1, 1)
    expect(others).toEqual(
      lines
        .slice(1)
        .toSpliced(place - 1, 1)
        .map((line) => JSON.parse(line).time),
    )
  }
})

test('a lost call is put back as its message and its result tell it', async () => {
  const place = types.lastIndexOf('tool/call')
  const { output } = await mended(tempFile(`${lines.toSpliced(place, 1).join('\n')}\n`))
  const { time: _time, ...lost } = JSON.parse(lines[place] as string)
  expect((await readBack(output)).events[place - 1]).toMatchObject(lost)
})

test('a lost result says that it is lost, at its own seq', async () => {
  const place = types.lastIndexOf('tool/result')
  const { output } = await mended(tempFile(`${lines.toSpliced(place, 1).join('\n')}\n`))
  const { events } = await readBack(output)
  const { seq, data } = JSON.parse(lines[place] as string)
  expect(events[seq]).toMatchObject({
    type: 'tool/result',
    data: { error: { code: 'TOOL_OUTCOME_UNKNOWN' }, message: { toolCallId: data.message.toolCallId } },
    sourceEventSeqs: [seq - 1],
  })
})

test.each([0, 1, 2])(
  'two faults in different turns cost nothing that one of them does not: turn %i',
  async (lost) => {
    const starts = types.flatMap((type, place) => (type === 'tool/result' ? [place] : []))
    const others = starts.filter((_, index) => index !== lost)
    const broken = lines.filter((_, place) => place !== starts[lost] && place !== (others[0] as number) - 1)
    const { output, pieces, exitCode } = await mended(tempFile(`${broken.join('\n')}\n`))
    expect({ pieces, exitCode }).toEqual({ pieces: [], exitCode: 0 })
    expect((await readBack(output)).events).toHaveLength(lines.length - 1)
  },
)

test('what belongs to lost events and is no message goes to quarantine; a result stays as text', async () => {
  const built = later().turn((turn) => turn.step((step) => step.system().user('go on').request().tool('c1')))
  // With them goes everything that names the model.
  const broken = built
    .text()
    .trimEnd()
    .split('\n')
    .filter((line) => !/"type":"(?:request|assistant)\//.test(line))
  const { output, pieces, exitCode } = await mended(tempFile(`${broken.join('\n')}\n`))
  expect(exitCode).toBe(0)
  expect(pieces.map(({ why, text }) => [why, JSON.parse(text as string).type])).toEqual([
    ['changed', 'tool/result'],
    ['unplaced', 'tool/call'],
  ])
  const { events } = await readBack(output)
  expect(JSON.stringify(events)).toContain('[A tool result stood here.')
})
