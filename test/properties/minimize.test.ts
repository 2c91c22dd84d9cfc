/** Whatever the log: `minimize` keeps its finding, adds none, never grows, and has nothing to do to its own output. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FindingLog } from '../../src/core/findings/finding-log.ts'
import { type FindingCode, ruleOf } from '../../src/core/findings/rules.ts'
import { checkOf } from '../../src/load/minimize/interestingness.ts'
import { minimizeLines, sizeOf } from '../../src/load/minimize/minimize-lines.ts'
import { storedLines } from '../../src/load/reading/stored-lines.ts'
import type { MemoryLine } from '../../src/storage/jsonl/memory-lines.ts'
import { DEFAULT_LIMITS } from '../../src/storage/record-source.ts'
import { ALL } from '../corpus/all-cases.ts'
import { type Case, isOfLines } from '../corpus/case.ts'
import { runs } from '../support/effort.ts'
import { damagedLogs } from '../support/line-damage.ts'
import { load } from '../support/load.ts'
import { memorySource } from '../support/memory-source.ts'
import { runMain } from '../support/run-main.ts'
import { tempDir, tempFile } from '../support/temp-dir.ts'

interface Small {
  readonly before: Buffer
  readonly after: Buffer
}

async function minimized(path: string, code: string): Promise<Small> {
  const output = join(tempDir(), 'small.jsonl')
  const { exitCode, stderr } = await runMain(['minimize', path, '--rule', code, '-o', output])
  expect({ exitCode, stderr }, `${code} in ${path}`).toEqual({ exitCode: 0, stderr: '' })
  return { before: readFileSync(path), after: readFileSync(output) }
}

async function codesIn(log: Buffer): Promise<ReadonlyMap<FindingCode, number>> {
  const { findings } = await load(log, {})
  return new Map(findings.counts().map(({ code, count }) => [code, count]))
}

test('a damaged log', async () => {
  await fc.assert(
    fc.asyncProperty(damagedLogs, fc.nat(), async (log, which) => {
      const found = await codesIn(log)
      const codes = [...found.keys()]
      fc.pre(codes.length > 0)
      const code = codes[which % codes.length] as FindingCode
      const { after } = await minimized(tempFile(log), code)
      expect(after.length).toBeLessThanOrEqual(log.length)
      const left = await codesIn(after)
      expect([...left.keys()]).toContain(code)
      for (const [each, count] of left) expect(count, each).toBeLessThanOrEqual(found.get(each) ?? 0)
      expect((await minimized(tempFile(after), code)).after.equals(after)).toBe(true)
    }),
    { numRuns: runs(12) },
  )
})

/** What the place of a log says, or a release that it is for, is not in its lines. */
const NOT_IN_LINES =
  /^(?:store|database|compatibility)\/|^fork\/parent-(?:missing|cycle)$|^bytes\/(?:container-name|file-name|line-too-long)$/

/** Every error and warning of the corpus that lies in the lines of a plain log. */
function faultsOf({ findings }: Case): readonly FindingCode[] {
  const codes = new Set(findings.map(({ code }) => code))
  return [...codes].filter((code) => ruleOf(code).severity !== 'info' && !NOT_IN_LINES.test(code))
}

const CASES = ALL.filter(
  (each) =>
    faultsOf(each).length > 0 && each.dialect === undefined && each.target === undefined && isOfLines(each),
)
const OTHER_MAGIC = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), Buffer.from('SQLi')]

test('every case of the corpus that is a plain log: its faults stay, and all of them become smaller', async () => {
  const sizes: (readonly [name: string, before: number, after: number])[] = []
  for (const each of CASES) {
    const limits = { ...DEFAULT_LIMITS, ...(each.maxRecord !== undefined && { maxRecord: each.maxRecord }) }
    const bytes = plainBytes(each)
    if (bytes === undefined) continue
    const lines: MemoryLine[] = []
    for await (const { bytes: line, ended } of storedLines(memorySource(bytes, limits)))
      if (line !== undefined) lines.push({ bytes: line, ended })
    for (const code of faultsOf(each)) {
      const check = checkOf(code, limits)
      const isBad = async (_lines: unknown, found: FindingLog) => found.found().has(code)
      const small = await minimizeLines(lines, await check(lines), { check, isBad, isTimeUp: () => false })
      const found = await check(small.lines)
      expect(found.found(), `${each.name}: ${code}`).toContain(code)
      expect(small.isComplete).toBe(true)
      sizes.push([`${each.name}: ${code}`, sizeOf(lines), sizeOf(small.lines)])
    }
  }
  expect(sizes.length).toBeGreaterThan(200)
  const stubborn = sizes.filter(([, before, after]) => after >= before)
  expect(stubborn.map(([name]) => name)).toEqual(['empty-file: bytes/empty-file'])
})

/** Logs that are built, and files that are no container of another kind. */
function plainBytes({ log }: Case): Buffer | undefined {
  if (typeof log === 'function') return undefined
  const bytes = Buffer.isBuffer(log) ? log : log.bytes()
  return OTHER_MAGIC.some((magic) => bytes.subarray(0, 4).equals(magic)) ? undefined : bytes
}
