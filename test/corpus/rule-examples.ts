/**
 * What docs/rule-examples.json should hold: of all corpus cases that raise a rule, the one with the least around it.
 * Compressed files and databases come out a little differently with every version of Node and SQLite, so they do not
 * take part in the choice by size, and a stored one stays while its case is the chosen one.
 */
import { gzipSync } from 'node:zlib'
import { exampleBytes } from '../../src/commands/explain.ts'
import { type FindingCode, RULES } from '../../src/core/findings/rules.ts'
import type { ExampleFile, RuleExample, RuleExamples } from '../../src/report/rule-example.ts'
import { ALL } from './all-cases.ts'
import { bytesOf, type Case } from './case.ts'

/** A case with its bytes, the log first. */
interface Written {
  readonly wanted: Case
  readonly files: readonly (readonly [path: string, bytes: Buffer])[]
}

/** @param stored - the examples of the last time. */
export async function ruleExamples(stored: RuleExamples): Promise<RuleExamples> {
  const all = await Promise.all(ALL.filter(({ findings }) => findings.length > 0).map(written))
  const examples: Record<string, RuleExample> = {}
  for (const code of Object.keys(RULES) as FindingCode[]) {
    const raising = all.filter(({ wanted }) => wanted.findings.some((finding) => finding.code === code))
    const [best] = raising.toSorted((a, b) => compareRanks(rankOf(a, code), rankOf(b, code)))
    if (best !== undefined) examples[code] = exampleOf(best, code, stored[code])
  }
  return examples
}

/** The document, one line of a log on a line, so that the difference to the last one can be read. */
export function examplesText(examples: RuleExamples): string {
  return `${JSON.stringify(examples, null, 1)}\n`
}

async function written(wanted: Case): Promise<Written> {
  const { log, file = 'log.jsonl', others = {} } = wanted
  const contents = [[file, log] as const, ...Object.entries(others)]
  const files = contents.map(async ([path, content]) => [path, await bytesOf(content)] as const)
  return { wanted, files: await Promise.all(files) }
}

/** Smaller is better, from left to right. */
function rankOf({ wanted, files }: Written, code: FindingCode): readonly number[] {
  const own = wanted.findings.filter((finding) => finding.code === code)
  const others = new Set(wanted.findings.map((finding) => finding.code)).size - 1
  const isBinary = files.some(([, bytes]) => containerOf(bytes) !== undefined)
  const size = files.reduce((sum, [, bytes]) => sum + bytes.length, 0)
  return [
    wanted.exampleOf?.includes(code) ? 0 : 1,
    own.every(({ causedBy }) => causedBy !== undefined) ? 1 : 0,
    optionsOf(wanted).length,
    isBinary ? 1 : 0,
    others,
    files.length,
    isBinary ? 0 : size,
  ]
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, place) => value !== b[place])
  return index < 0 ? 0 : (a[index] as number) - (b[index] as number)
}

function exampleOf({ wanted, files }: Written, code: FindingCode, stored?: RuleExample): RuleExample {
  const [[file]] = files as [Written['files'][number]]
  const { line } = wanted.findings.find((finding) => finding.code === code) ?? {}
  const name = wanted.name.replaceAll('-', ' ')
  return {
    name,
    why: wanted.why,
    files: files.map(
      ([path, bytes], index) =>
        keptFile(name === stored?.name ? stored.files[index] : undefined, path, bytes) ?? fileOf(path, bytes),
    ),
    named: wanted.named ?? file,
    options: optionsOf(wanted),
    ...(line !== undefined && { line }),
  }
}

/** The stored file, when what could be different is only the work of another compressor or database. */
function keptFile(stored: ExampleFile | undefined, path: string, bytes: Buffer): ExampleFile | undefined {
  if (stored?.gzip === undefined || stored.path !== path) return undefined
  return stored.container !== undefined || exampleBytes(stored).equals(bytes) ? stored : undefined
}

function fileOf(path: string, bytes: Buffer): ExampleFile {
  const container = containerOf(bytes)
  const text = bytes.toString('utf8')
  const isExact = Buffer.from(text).equals(bytes)
  return {
    path,
    bytes: bytes.length,
    ...(container === undefined ? { lines: text.split('\n') } : { container }),
    ...(!isExact && { gzip: gzipSync(bytes, { level: 9 }).toString('base64') }),
  }
}

function optionsOf({ maxRecord, dialect, target, profile }: Case): readonly string[] {
  return [
    ...(maxRecord === undefined ? [] : ['--max-record', String(maxRecord)]),
    ...(dialect === undefined ? [] : ['--dialect', dialect]),
    ...(target === undefined ? [] : ['--target', target]),
    ...(profile === undefined ? [] : ['--profile', profile]),
  ]
}

function containerOf(bytes: Buffer): ExampleFile['container'] {
  const starts = (magic: string): boolean => bytes.toString('latin1', 0, magic.length) === magic
  if (starts('(\xb5/\xfd')) return 'zstd'
  if (starts('\x1f\x8b')) return 'gzip'
  return starts('SQLite format 3\0') ? 'sqlite' : undefined
}
