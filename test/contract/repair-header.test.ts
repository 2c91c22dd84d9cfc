/** Headers that are torn, lost or wrong: what of them is told, by what, and what is said where nothing tells it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { writeFrame } from '../../src/storage/zstd/frame-writer.ts'
import { readBack } from '../support/containers.ts'
import { later, laterBase } from '../support/later-log.ts'
import { log } from '../support/log-builder.ts'
import { kindsOf, mended } from '../support/repairing.ts'
import { repair } from '../support/run-repair.ts'
import { twoTurns } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

const VERSIONS = [0, 2, 3, 4] as const

function whole(version: (typeof VERSIONS)[number]): { header: string; rows: string[] } {
  const text = version === 0 ? twoTurns().text() : laterBase(version).text()
  const [header = '', ...rows] = text.trimEnd().split('\n')
  return { header, rows }
}

function stepOf(data: Awaited<ReturnType<typeof repair>>['data']) {
  return data.steps.find(({ kind }) => kind === 'add-header')?.args
}

test.each(VERSIONS)('the members before a tear are those of the header, format %i', async (version) => {
  const { header, rows } = whole(version)
  const torn = header.slice(0, header.indexOf('"cwd"'))
  const { data, output } = await mended(tempFile(`${[torn, ...rows].join('\n')}\n`))
  const { cwd: _, ...rest } = JSON.parse(header)
  expect((await readBack(output)).header).toEqual(rest)
  expect(stepOf(data)).toMatchObject({ from: { id: 'line', createdAt: 'line', delegationDepth: 'usual' } })
  expect((await readBack(output)).events).toHaveLength(rows.length)
})

test('an event on the torn line stays', async () => {
  const { header, rows } = whole(0)
  const [first = '', ...others] = rows
  const torn = header.slice(0, header.indexOf('"cwd"'))
  const { output, pieces } = await mended(tempFile(`${[`${torn}${first}`, ...others].join('\n')}\n`))
  expect((await readBack(output)).events).toHaveLength(rows.length)
  expect(pieces.map(({ text }) => text)).toEqual([torn])
})

test.each(VERSIONS)('another session tells what a lost header shares with it, format %i', async (version) => {
  const { header, rows } = whole(version)
  const folder = tempDir()
  const id = JSON.parse(header).id.replace(/^session-0{8}/, 'session-4f00a9b2') as string
  const path = join(folder, `${id}.jsonl`)
  const other = join(folder, 'other.jsonl')
  writeFileSync(path, `${rows.join('\n')}\n`)
  writeFileSync(other, `${header}\n`)
  const alone = await repair(path)
  expect(alone.exitCode).toBe(5)
  expect(alone.data.refused?.[0]).toMatch(/^header\/missing: .*\bid\b/)
  expect(alone.data.commands).toEqual([`resurface repair ${path} --like ${other} --write`])
  const { data, output } = await mended(path, '--like', other)
  const { cwd, delegationDepth } = JSON.parse(header)
  const told = (await readBack(output)).header
  expect(told).toMatchObject({ version, id, cwd, delegationDepth })
  expect(told.createdAt).toBe(JSON.parse(rows[0] as string).time)
  expect(stepOf(data)).toMatchObject({ from: { id: 'file', cwd: 'like', createdAt: 'events' } })
  expect((await readBack(output)).events).toHaveLength(rows.length)
})

test.each(['backup.jsonl', 'session-lost.jsonl', 'session-2026-01-01.jsonl', 'rescued/session.jsonl'])(
  'the name %s is no id',
  async (name) => {
    const { header, rows } = whole(0)
    const folder = tempDir()
    const path = join(folder, name)
    const other = join(folder, 'other.jsonl')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${rows.join('\n')}\n`)
    writeFileSync(other, `${header}\n`)
    const { exitCode, data } = await repair(path, '--like', other)
    expect(exitCode).toBe(5)
    expect(data.refused?.[0]).toMatch(/^header\/missing: id cannot be recovered/)
  },
)

test('the folder of a session tells its id, and another one of its project its working directory', async () => {
  const { header, rows } = whole(0)
  const root = tempDir()
  const place = (id: string): string => join(root, '--srv-my-app--', id)
  for (const id of ['one', 'two']) mkdirSync(place(id), { recursive: true })
  const path = join(place('one'), 'session.jsonl.zstd')
  const other = join(place('two'), 'session.jsonl')
  const lost = await writeFrame(Buffer.from(`${header}\n`))
  // Nothing in it can be read.
  lost.fill(0xff, 4)
  writeFileSync(path, Buffer.concat([lost, await writeFrame(Buffer.from(`${rows.join('\n')}\n`))]))
  writeFileSync(other, `${JSON.stringify({ ...JSON.parse(header), id: 'two', cwd: '/srv/my-app' })}\n`)
  const alone = await mended(path)
  expect((await readBack(alone.output)).header).toMatchObject({ id: 'one', cwd: '/srv/my/app' })
  const { data, output } = await mended(path, '--like', other)
  expect((await readBack(output)).header).toMatchObject({ id: 'one', cwd: '/srv/my-app' })
  expect(stepOf(data)).toMatchObject({ from: { id: 'place', cwd: 'like' } })
})

test.each([2, 3, 4] as const)(
  'the header follows the markers of an inherited part, format %i',
  async (version) => {
    const marked = later(version).header({ isSeeded: false }).event('session/end-seed', { inherited: true })
    const unmarked = later(version).header({ isSeeded: true }).event('session/end-seed', {})
    for (const [built, isSeeded] of [
      [marked, true],
      [unmarked, false],
    ] as const) {
      const { data, output } = await mended(tempFile(built.turn().text()))
      expect(kindsOf(data)).toEqual(['mend-header'])
      expect((await readBack(output)).header).toMatchObject({ isSeeded })
      expect((await readBack(output)).events).toHaveLength(3)
    }
  },
)

test('a model that no event names can be given, and is named nowhere else', async () => {
  const built = log().turn((turn) =>
    turn.user('hi').event('request/header', { header: { config: {}, system: 's' }, reason: 'initial' }),
  )
  const path = tempFile(built.text())
  const alone = await repair(path)
  expect(alone.exitCode).toBe(5)
  expect(alone.data.refused?.join(' ')).toContain('--model PROVIDER/MODEL')
  const { output } = await mended(path, '--model', 'p/m/x')
  const stored = readFileSync(output, 'utf8')
  expect(stored.match(/"provider":"p","model":"m\/x"/g)).toHaveLength(1)
  const told = await repair(tempFile(twoTurns().text()), '--model', 'other/one')
  expect(told.data.steps).toEqual([])
  expect((await repair(path, '--model', 'p')).exitCode).toBe(2)
})
