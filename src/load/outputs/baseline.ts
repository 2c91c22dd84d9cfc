/**
 * A baseline: fingerprints of findings that are known and shall not fail a run again, kept in a JSON file that a person
 * can read. New findings still fail.
 */
import { constant, listOf, record, type Static, text } from '../../core/json/json-schema.ts'
import { readSaved, type SavedKind } from '../../storage/read-saved.ts'

const SCHEMA = 'resurface/baseline@1'

/** A finding that is known from now on. All but the fingerprint is for people. */
const KNOWN_FINDING = record({ fingerprint: text }, { code: text, log: text, message: text })
const BASELINE = record({ schema: constant(SCHEMA), findings: listOf(KNOWN_FINDING) })

export type KnownFinding = Required<Static<typeof KNOWN_FINDING>>

const KIND: SavedKind<Static<typeof BASELINE>> = {
  name: 'baseline',
  schema: BASELINE,
  error: 'usage',
  hint: 'Write one with --update-baseline.',
}

export async function readBaseline(path: string): Promise<ReadonlySet<string>> {
  const { findings } = await readSaved(path, KIND)
  return new Set(findings.map(({ fingerprint }) => fingerprint))
}

/**
 * Writes the new baseline, in a stable order.
 *
 * @param opened - real paths of what was read.
 */
export async function writeBaseline(
  path: string,
  findings: readonly KnownFinding[],
  opened: ReadonlySet<string>,
): Promise<void> {
  const sorted = findings.toSorted((a, b) =>
    `${a.log} ${a.code} ${a.fingerprint}` < `${b.log} ${b.code} ${b.fingerprint}` ? -1 : 1,
  )
  const { writeSaved } = await import('./write-saved.ts')
  await writeSaved(path, { schema: SCHEMA, findings: sorted }, KIND, opened)
}
