/** The example logs of the rules, from the data file of the package: only `explain` pays for reading it. */
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { ExampleFile, RuleExamples } from '../report/rule-example.ts'

// The same place from src/commands and from dist/commands.
const FILE = new URL('../../docs/rule-examples.json', import.meta.url)

export async function readRuleExamples(): Promise<RuleExamples> {
  return JSON.parse(await readFile(FILE, 'utf8')) as RuleExamples
}

/** What stands in the file, byte for byte. */
export function exampleBytes({ lines = [], gzip }: ExampleFile): Buffer {
  return gzip === undefined ? Buffer.from(lines.join('\n')) : gunzipSync(Buffer.from(gzip, 'base64'))
}
