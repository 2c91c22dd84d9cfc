/**
 * A baseline: fingerprints of findings that are known and shall not fail a run again, kept in a JSON file that a person
 * can read. New findings still fail.
 */
import { readFile } from 'node:fs/promises'
import { isJsonObject } from '../../core/json/json-value.ts'
import { reasonOf } from '../../storage/reason-of.ts'
import { ToolError } from '../../storage/tool-error.ts'

const SCHEMA = 'resurface/baseline@1'

export async function readBaseline(path: string): Promise<ReadonlySet<string>> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : reasonOf(error)
    throw new ToolError(
      'usage',
      `cannot read the baseline ${path}: ${reason}`,
      'Write one with --update-baseline.',
    )
  }
  if (!isJsonObject(value) || value.schema !== SCHEMA || !Array.isArray(value.findings)) {
    throw new ToolError('usage', `${path} is not a baseline of this version of resurface`)
  }
  return new Set(value.findings.filter(isJsonObject).map(({ fingerprint }) => String(fingerprint)))
}

/** A finding that is known from now on. All but the fingerprint is for people. */
export interface KnownFinding {
  readonly fingerprint: string
  readonly code: string
  readonly log: string
  readonly message: string
}

/** Writes the new baseline, in a stable order. */
export async function writeBaseline(path: string, findings: readonly KnownFinding[]): Promise<void> {
  const sorted = findings.toSorted((a, b) =>
    `${a.log} ${a.code} ${a.fingerprint}` < `${b.log} ${b.code} ${b.fingerprint}` ? -1 : 1,
  )
  const text = `${JSON.stringify({ schema: SCHEMA, findings: sorted }, null, 2)}\n`
  try {
    const { writeFileWhole } = await import('../../storage/write-file.ts')
    await writeFileWhole(path, (file) => file.writeFile(text))
  } catch (error) {
    throw new ToolError('input', `cannot write the baseline ${path}: ${reasonOf(error)}`)
  }
}
