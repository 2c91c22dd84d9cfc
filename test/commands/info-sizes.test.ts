/** What takes the bytes of a log: nothing is counted twice or forgotten, in any container, and conversions are real ones. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeZstd } from '../../src/storage/zstd/node-zstd.ts'
import { CONTAINERS, wholeLog, written } from '../support/containers.ts'
import { log } from '../support/log-builder.ts'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { base, rich, torn } from '../support/sample-logs.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

interface Sizes {
  bytes: number
  header: number
  events: number
  types: { type: string; events: number; bytes: number }[]
  turns: { events: number; bytes: number }[]
  conversions: { to: string; rows: string; bytes?: number; reason?: string }[]
}

// biome-ignore lint/suspicious/noExplicitAny: JSON that a test takes apart; the schemas are tested elsewhere.
async function sizesOf(path: string): Promise<any> {
  const { stdout } = await runMain(['info', path, '--sizes', '--json'])
  return reportIn(stdout).data.sizes
}

function sumOf(parts: readonly { bytes: number }[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0)
}

describe.each(Object.keys(CONTAINERS) as (keyof typeof CONTAINERS)[])('%s', (container) => {
  test('every byte once', async () => {
    const path = await written(container, await wholeLog(rich().bytes()))
    const sizes: Sizes = await sizesOf(path)
    const types = reportIn((await runMain(['info', path, '--json'])).stdout).data.types
    expect(Object.fromEntries(sizes.types.map(({ type, events }) => [type, events]))).toEqual(types)
    expect(sizes.header + sizes.events).toBe(sizes.bytes)
    expect(sumOf(sizes.types)).toBe(sizes.events)
    expect(sumOf(sizes.turns)).toBe(sizes.events)
    const text = join(tempDir(), 'as-it-is.jsonl')
    await runMain(['convert', path, '--to', 'jsonl', '-o', text])
    expect(sizes.bytes).toBe(statSync(text).size)
  })
})

test('what convert writes is what was measured', async () => {
  const chunks = Array.from({ length: 50 }, (_, index) => `piece ${index} `)
  const path = tempFile(
    log()
      .turn((turn) =>
        turn.step((step) => {
          for (const text of chunks) step.chunk(text)
        }),
      )
      .bytes(),
  )
  const { conversions }: Sizes = await sizesOf(path)
  const measured = conversions.filter(({ bytes }) => bytes !== undefined)
  expect(measured.length).toBe((await nodeZstd()) === undefined ? 2 : 4)
  for (const { to, rows, bytes } of measured) {
    const file = join(tempDir(), 'converted')
    await runMain(['convert', path, '--to', to, '--rows', rows, '-o', file])
    expect(statSync(file).size, `${to}, ${rows}`).toBe(bytes)
  }
  for (const { reason } of conversions.filter(({ bytes }) => bytes === undefined))
    expect(reason).toContain('Node')
  const [plain = Number.NaN, packed] = conversions
    .filter(({ to }) => to === 'jsonl')
    .map(({ bytes }) => bytes)
  expect(plain).toBe(statSync(path).size)
  expect(packed).toBeLessThan(plain / 2)
})

test('by tool, by compaction, repeated texts and images', async () => {
  const long = 'the same line of a long output\n'.repeat(20)
  const image = { type: 'image', attachment: { attachmentId: `sha256:${'a'.repeat(64)}`, bytes: 4096 } }
  const built = base().turn((turn) =>
    turn
      .user('again')
      .step((step) =>
        step
          .assistant('')
          .call('c2', 'read')
          .result('c2', long)
          .assistant('')
          .call('c3', 'read')
          .result('c3', long),
      ),
  )
  const shown = built.nextSeq
  built.turn((turn) => turn.user('see')).edit(shown + 1, (row) => withBlock(row, image))
  built.compaction(1, 4)
  const path = tempFile(built.bytes())
  const lines = readFileSync(path, 'utf8').split('\n')
  const sizeAt = (seq: number): number => Buffer.byteLength(`${lines[seq + 1]}\n`)
  const sizes = await sizesOf(path)

  const tools = Object.fromEntries(sizes.tools.map((tool: { tool: string }) => [tool.tool, tool]))
  expect(tools.bash).toMatchObject({ calls: 1, results: 1, callBytes: sizeAt(5), resultBytes: sizeAt(6) })
  expect(tools.read).toMatchObject({ calls: 2, results: 2 })
  expect(sizes.repeated).toMatchObject({ count: 1, bytes: long.length })
  expect(sizes.repeated.largest).toMatchObject([{ type: 'tool/result', count: 2, bytes: long.length }])
  expect(sizes.images).toEqual({ count: 1, bytes: JSON.stringify(image).length, attachmentBytes: 4096 })
  const [checkpoint] = sizes.compactions
  expect(checkpoint).toMatchObject({
    messages: 2,
    removed: sizeAt(1) + sizeAt(4),
    added: sizeAt(checkpoint.seq),
  })
  const [largest] = sizes.records
  expect(largest.bytes).toBe(Math.max(...lines.map((line) => Buffer.byteLength(line) + 1)))
  expect(lines[largest.line - 1]).toContain(`"seq":${largest.seq},`)
})

function withBlock(row: Record<string, unknown>, block: object) {
  const data = row.data as { content: object[] }
  return { ...row, data: { ...data, content: [...data.content, block] } } as never
}

test('why a conversion is not measured is said once', async () => {
  const path = tempFile(torn())
  const { stdout } = await runMain(['info', path, '--sizes'])
  expect(stdout.match(/is not whole/g)).toHaveLength(1)
  expect(stdout).toMatch(/not measured +\S+ is not whole, so it cannot be carried over without loss\n/)
  const whole = await runMain(['info', tempFile(base().bytes()), '--sizes'])
  expect(whole.stdout.match(/this Node has no zstd/g) ?? []).toHaveLength(
    (await nodeZstd()) === undefined ? 1 : 0,
  )
})

test('of a file with no session in it no zeros are shown', async () => {
  for (const options of [[], ['--sizes']]) {
    const path = tempFile('')
    const { stdout, exitCode } = await runMain(['info', path, ...options])
    expect({ stdout, exitCode }).toEqual({
      stdout: `${path}: there is no session in it\n\nread as  jsonl, 0 bytes\n`,
      exitCode: 3,
    })
  }
})

test('what no event comes from is left over, and conversions say why they are not measured', async () => {
  const path = tempFile(torn())
  const sizes: Sizes = await sizesOf(path)
  expect(sizes.bytes).toBe(statSync(path).size)
  expect(sizes.bytes - sizes.header - sizes.events).toBe('{"type":"tool/re'.length)
  for (const { reason } of sizes.conversions) expect(reason).toBeDefined()
  const { stdout } = await runMain(['info', path, '--sizes'])
  expect(stdout).toContain('records of no event')
  expect(stdout).toContain('not measured')
})

test('without the option nothing is new', async () => {
  const { stdout } = await runMain(['info', tempFile(base().bytes()), '--json'])
  expect(reportIn(stdout).data.sizes).toBeUndefined()
})
