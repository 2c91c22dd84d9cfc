/** `repair --plan` and `--apply`: what was planned is what is done, to the bytes it was planned for and no others. */
import { appendFileSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listing } from '../support/listing.ts'
import { kindsOf } from '../support/repairing.ts'
import { runMain } from '../support/run-main.ts'
import { repair, undo } from '../support/run-repair.ts'
import { base, crashed, torn } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

interface Planned {
  readonly log: string
  readonly plan: string
}

async function planned(...options: readonly string[]): Promise<Planned> {
  const log = tempFile(torn())
  const plan = join(tempDir(), 'plan.json')
  expect((await repair(log, '--plan', plan, ...options)).exitCode).toBe(1)
  expect(readFileSync(log)).toEqual(torn())
  return { log, plan }
}

describe('a plan is carried out', () => {
  test.each([
    ['on the log that it names', false],
    ['on the log that is named', true],
  ])('%s', async (_what, named) => {
    const { log, plan } = await planned()
    const args = named ? [log] : []
    const { exitCode, data } = await repair(...args, '--apply', plan, '--in-place')
    expect(exitCode).toBe(0)
    expect(readFileSync(data.backup as string)).toEqual(torn())
    expect((await undo(log)).exitCode).toBe(0)
    expect((await repair(...args, '--apply', plan, '--write')).exitCode).toBe(0)
    expect((await repair(...args, '--apply', plan)).exitCode).toBe(1)
  })

  test('on the same bytes elsewhere', async () => {
    const { plan } = await planned()
    const copy = tempFile(torn(), 'copy.jsonl')
    expect((await repair(copy, '--apply', plan, '--write')).exitCode).toBe(0)
  })

  test('with the options that it was made with', async () => {
    const { log, plan } = await planned('--truncate-after', 'turn:1')
    const { exitCode, data } = await repair('--apply', plan, '--in-place')
    expect(exitCode).toBe(0)
    expect(kindsOf(data)).toContain('truncate')
    expect(readFileSync(log)).toEqual(base().bytes())
  })

  test.each([[['--branch', 'first']], [['--allow-unknown']], [['--truncate-after', 'turn:1']]])(
    'and %j cannot overrule it',
    async (options) => {
      const { log, plan } = await planned()
      const { exitCode, stderr } = await repair('--apply', plan, ...options, '--in-place')
      expect(exitCode).toBe(2)
      expect(stderr).toContain('the plan says')
      expect(readFileSync(log)).toEqual(torn())
    },
  )
})

describe('refused, with the log as it is', () => {
  async function refused(args: readonly string[], log: string, said: string): Promise<void> {
    const before = listing(dirname(log))
    const { exitCode, stderr } = await repair(...args, '--in-place')
    expect(exitCode).toBe(5)
    expect(stderr).toContain(said)
    expect(listing(dirname(log))).toEqual(before)
  }

  test('a log with one other byte', async () => {
    const { log, plan } = await planned()
    writeFileSync(log, torn().toString('latin1').replace('list files', 'list fiLes'), 'latin1')
    await refused(['--apply', plan], log, 'is not the log that the plan was made for')
  })

  test('a log that went on', async () => {
    const { log, plan } = await planned()
    appendFileSync(log, 's')
    await refused(['--apply', plan], log, 'is not the log that the plan was made for')
  })

  test('another log', async () => {
    const { plan } = await planned()
    const other = tempFile(crashed().bytes())
    await refused([other, '--apply', plan], other, 'is not the log that the plan was made for')
  })

  test('a plan that somebody edited', async () => {
    const { log, plan } = await planned()
    const edited = JSON.parse(readFileSync(plan, 'utf8'))
    edited.steps.pop()
    writeFileSync(plan, JSON.stringify(edited))
    await refused(['--apply', plan], log, 'the plan is not what this version of resurface would do')
  })
})

describe('no plan', () => {
  test.each([
    ['text', 'dear diary'],
    ['nothing', ''],
    ['a log', torn()],
    ['a report', '{"schema":"resurface/repair@1","data":{}}'],
    [
      'a later plan',
      '{"schema":"resurface/repair-plan@2","log":"x","sha256":"","options":{"keep":"living"}}',
    ],
    [
      'another choice',
      '{"schema":"resurface/repair-plan@1","log":"x","sha256":"","options":{"keep":"none","allowUnknown":false}}',
    ],
    [
      'half a choice',
      '{"schema":"resurface/repair-plan@1","log":"x","sha256":"","options":{"keep":"first"}}',
    ],
    [
      'another place',
      '{"schema":"resurface/repair-plan@1","log":"x","sha256":"","options":{"keep":"first","allowUnknown":true,"truncateAfter":{"unit":"line","number":1}}}',
    ],
  ])('%s', async (_what, content) => {
    const log = tempFile(torn())
    const plan = tempFile(content, 'plan.json')
    const { exitCode, stderr } = await repair(log, '--apply', plan, '--in-place')
    expect(exitCode).toBe(3)
    expect(stderr).toContain('plan')
    expect(readFileSync(log)).toEqual(torn())
  })

  test('a file that is not there, and a folder', async () => {
    for (const plan of [join(tempDir(), 'none.json'), tempDir()])
      expect(await repair('--apply', plan)).toMatchObject({ exitCode: 3 })
  })
})

describe('a plan takes the place of', () => {
  test('an earlier plan', async () => {
    const { log, plan } = await planned()
    expect((await repair(log, '--truncate-after', 'turn:1', '--plan', plan)).exitCode).toBe(1)
    expect(JSON.parse(readFileSync(plan, 'utf8')).options.truncateAfter).toEqual({ unit: 'turn', number: 1 })
  })

  test('an empty file', async () => {
    const plan = tempFile('', 'plan.json')
    expect((await repair(tempFile(torn()), '--plan', plan)).exitCode).toBe(1)
  })

  const headless = (): Buffer => base().firstLine('{"type":"ses').bytes()

  test.each([
    ['the log', (log: string) => log],
    ['the log under another name', (log: string) => linkTo(log)],
    ['another log', () => tempFile(torn())],
    ['a log without a header', () => tempFile(headless())],
    ['a text', () => tempFile('dear diary')],
    ['a folder', () => tempDir()],
    ['a part of a database that is not there yet', (log: string) => `${log}-wal`],
    ['the same, through a link', (log: string) => linkTo(`${log}-wal`)],
  ])('not %s', async (_what, place) => {
    const log = tempFile(torn())
    const plan = place(log)
    const before = [listing(dirname(log)), contentOf(plan)]
    const { exitCode } = await repair(log, '--plan', plan)
    expect(exitCode).toBe(2)
    expect([listing(dirname(log)), contentOf(plan)]).toEqual(before)
  })

  test('nothing in a folder that is not there', async () => {
    const { exitCode, stderr } = await repair(tempFile(torn()), '--plan', join(tempDir(), 'no', 'plan.json'))
    expect(exitCode).toBe(3)
    expect(stderr).toContain('cannot write')
  })
})

function contentOf(path: string): string | undefined {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
  return isFile ? readFileSync(path, 'utf8') : undefined
}

function linkTo(path: string): string {
  const link = join(tempDir(), 'link')
  symlinkSync(path, link)
  return link
}

test('a plan says what would be done, and is written once for the same log', async () => {
  const { log, plan } = await planned()
  const saved = JSON.parse(readFileSync(plan, 'utf8'))
  const { data } = await repair(log)
  expect(saved).toMatchObject({
    schema: 'resurface/repair-plan@1',
    log,
    steps: data.steps,
    digests: data.digests,
  })
  const other = join(tempDir(), 'again.json')
  await runMain(['repair', log, '--plan', other])
  expect(readFileSync(other)).toEqual(readFileSync(plan))
})
