/** Logs to damage: every plain log of the corpus, whole ones of each format, and the examples. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALL } from '../corpus/all-cases.ts'
import { laterBase } from '../support/later-log.ts'
import { crashed, rich, torn } from '../support/sample-logs.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')
const LARGEST = 200_000

export interface SeedLog {
  readonly name: string
  readonly lines: readonly string[]
}

export const SEED_LOGS: readonly SeedLog[] = [
  ...corpusLogs(),
  ...exampleLogs(),
  seed('format-0', rich().bytes()),
  seed('crashed', crashed().bytes()),
  seed('torn', torn()),
  ...([2, 3, 4] as const).map((version) => seed(`format-${version}`, laterBase(version).bytes())),
]

function corpusLogs(): SeedLog[] {
  return ALL.flatMap(({ name, log, file = 'log.jsonl' }) => {
    if (!file.endsWith('.jsonl') || typeof log === 'function') return []
    const bytes = Buffer.isBuffer(log) ? log : log.bytes()
    return bytes.length > LARGEST ? [] : [seed(name, bytes)]
  })
}

function exampleLogs(): SeedLog[] {
  return readdirSync(EXAMPLES)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => seed(name, readFileSync(join(EXAMPLES, name))))
}

function seed(name: string, bytes: Buffer): SeedLog {
  return { name, lines: bytes.toString('utf8').trimEnd().split('\n') }
}
