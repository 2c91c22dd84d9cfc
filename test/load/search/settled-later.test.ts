/** The rules that later events can settle: in every beginning of every small log of the corpus. */
import { expect, test } from 'vitest'
import { pluginLint } from '../../../src/core/compatibility/plugin-lint.ts'
import { codesWhere, type FindingCode } from '../../../src/core/findings/rules.ts'
import { prefixSource, recordsOf } from '../../../src/load/search/prefix-source.ts'
import { loadLog } from '../../../src/load/sessions/load-log.ts'
import { DEFAULT_LIMITS } from '../../../src/storage/record-source.ts'
import { ALL } from '../../corpus/all-cases.ts'
import { memorySource } from '../../support/memory-source.ts'

const SMALL = 4000
const lines = ALL.flatMap(({ log, name }) => {
  const bytes = Buffer.isBuffer(log) ? log : 'bytes' in log ? log.bytes() : undefined
  return bytes !== undefined && bytes.length < SMALL ? [{ name, bytes }] : []
})

/** Rules that a beginning of the log raises and a longer one does not. */
async function settledIn(bytes: Buffer): Promise<ReadonlySet<FindingCode>> {
  const source = memorySource(bytes)
  const settled = new Set<FindingCode>()
  let before: readonly FindingCode[] = []
  for (let length = 1, all = await recordsOf(source); length <= all; length++) {
    const loaded = await loadLog(
      prefixSource(source, length),
      { lint: pluginLint() },
      { limits: DEFAULT_LIMITS },
    )
    const found = new Set([...loaded.findings.found(), ...loaded.results.lint.map(({ code }) => code)])
    for (const code of before) if (!found.has(code)) settled.add(code)
    before = [...found]
  }
  return settled
}

test('a rule is settled later when some log settles it, and only then', async () => {
  expect(lines.length).toBeGreaterThan(200)
  const settled = new Set<FindingCode>()
  for (const { bytes } of lines) for (const code of await settledIn(bytes)) settled.add(code)
  expect([...settled].toSorted()).toEqual(codesWhere(({ settledLater }) => settledLater === true).toSorted())
})
