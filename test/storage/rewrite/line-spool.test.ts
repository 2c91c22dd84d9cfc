/** Lines that wait for their file come out in order, however many they are, and nothing of them stays behind. */
import { readdirSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { LineSpool } from '../../../src/storage/rewrite/line-spool.ts'
import { tempDir } from '../../support/temp-dir.ts'

test.each([0, 1, 3000])('%d lines', async (count) => {
  const [folder, waiting] = [tempDir(), tempDir()]
  vi.stubEnv('TMPDIR', waiting)
  const lines = Array.from({ length: count }, (_, index) => `${index} ${'ä'.repeat(4000)}`)
  const spool = new LineSpool()
  expect(spool.isEmpty).toBe(true)
  for (const line of lines) await spool.add(line)
  expect(spool.isEmpty).toBe(count === 0)
  expect(readdirSync(waiting).length).toBe(count === 3000 ? 1 : 0)
  const file = await open(join(folder, 'lines'), 'wx')
  await spool.writeTo(file)
  await file.close()
  await spool.close()
  expect(readFileSync(join(folder, 'lines'), 'utf8')).toBe(lines.map((line) => `${line}\n`).join(''))
  expect(readdirSync(waiting)).toEqual([])
  vi.unstubAllEnvs()
})
