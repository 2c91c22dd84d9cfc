/**
 * What a crash cut off at the end is lost like anything else: `check`, the plan, `transcript`, `surface` and `report` say
 * so, with what could be read of it. Of whole rows after a break nothing is lost by a repair.
 */
import { describe, expect, test } from 'vitest'
import type { ReportData } from '../../src/report/report.ts'
import { writeStoredFrame } from '../../src/storage/zstd/frame-writer.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { base } from '../support/sample-logs.ts'
import { tempFile } from '../support/temp-dir.ts'

/** {@link base} and a turn whose last event, an answer, is the last one: seqs 9 to 12. */
function open() {
  return base().openTurn((turn) => turn.user('more').openStep((step) => step.assistant('the last answer')))
}

const text = open().text()
const inAnswer = text.indexOf('the last answer') + 8

async function zstdFile(cut: number): Promise<string> {
  const [header = '', ...lines] = text.split(/(?<=\n)/)
  // Not every Node compresses, and what can be read of a cut block depends on it.
  const frames = [header, lines.join('')].map((part) => writeStoredFrame(Buffer.from(part)))
  return tempFile(Buffer.concat(await Promise.all(frames)).subarray(0, -cut))
}

interface Loss {
  readonly kind: string
  readonly first: number
  readonly events?: number
  readonly texts?: readonly string[]
}

async function lossesOf(path: string): Promise<Record<string, readonly Loss[]>> {
  const ask = async (command: string): Promise<unknown> =>
    reportIn((await runMain([command, path, '--json'])).stdout).data
  const check = (await ask('check')) as ReportData<'check'>
  const plan = (await ask('repair')) as ReportData<'repair'>
  const surface = (await ask('surface')) as ReportData<'surface'>
  const transcript = (await ask('transcript')) as ReportData<'transcript'>
  const report = (await ask('report')) as ReportData<'report'>
  return {
    check: check.gaps ?? [],
    repair: plan.losses ?? [],
    surface: surface.gaps,
    transcript: [...transcript.entries].flatMap((entry) => (entry.kind === 'gap' ? [entry.gap] : [])),
    report: report.check.gaps ?? [],
  }
}

describe('the losses', () => {
  test.each([
    ['a torn line', async () => tempFile(text.slice(0, inAnswer)), { events: 1, texts: ['the last'] }],
    [
      'a line without its line feed',
      async () => tempFile(text.slice(0, -1)),
      { events: 1, texts: ['the last answer'] },
    ],
    ['garbage', async () => tempFile(`${text}%%%\n`), { events: 1, first: 13 }],
    [
      'a frame that is cut in its last record',
      () => zstdFile(30),
      { texts: [expect.stringMatching(/^the/)] },
    ],
    ['a frame that is cut in its middle', () => zstdFile(300), {}],
  ] as const)('%s', async (_name, make, expected) => {
    for (const losses of Object.values(await lossesOf(await make())))
      expect(losses).toMatchObject([{ kind: 'dropped', ...expected }])
  })

  test('nothing is lost where only the checksum of the last frame is cut off', async () => {
    for (const losses of Object.values(await lossesOf(await zstdFile(3)))) expect(losses).toEqual([])
  })

  test('whole rows after a break are dropped by DSH and kept by a repair', async () => {
    const lines = text.trimEnd().split('\n')
    const path = tempFile(`${[...lines.slice(0, -2), '%%%', ...lines.slice(-2)].join('\n')}\n`)
    const { repair, ...others } = await lossesOf(path)
    expect(repair).toEqual([])
    for (const losses of Object.values(others)) expect(losses).toMatchObject([{ kind: 'dropped', events: 3 }])
  })
})
