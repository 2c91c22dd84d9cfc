/**
 * What the location of a log says against its header (format.md §1.2, §1.3): its generation, the folder it lies in, and
 * whether the session it was forked from is there, and has a beginning itself.
 */
import { realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import type { SessionHeader } from '../../core/event/session-event.ts'
import type { Finding } from '../../core/findings/finding.ts'
import type { Origin } from '../../core/findings/origin.ts'
import { type OpenedInput, pathOf } from './open-input.ts'
import { circleOfParents, logInStoreOf, parentNamedIn } from './parent-session.ts'
import { expectedLocation, generationOf } from './store-layout.ts'

export async function locationFindings(
  input: Pick<OpenedInput, 'file' | 'replaceable' | 'session' | 'sessions'>,
  header: SessionHeader | undefined,
  allows?: (real: string) => boolean,
): Promise<readonly Finding[]> {
  if (header === undefined) return []
  if (input.session !== undefined) {
    // Databases are of the time of format 0; no build reads another format from one (format.md §3).
    const { version, parentSession: parent } = header
    if (version !== 0) return [{ code: 'format/newer', origin: { line: 1 }, args: { version, known: 0 } }]
    if (parent === undefined) return []
    const { sessions } = input
    if (sessions?.has(parent) === false)
      return [{ code: 'fork/parent-missing', origin: { line: 1 }, args: { parent } }]
    return circleFindings(header, parent, { line: 1 }, (id) => sessions?.parentOf(id))
  }
  const findings: Finding[] = []
  const origin = { line: 1, byteOffset: 0 }
  const path = pathOf(input)
  const named = generationOf(basename(path))?.version
  if (named !== undefined && named !== header.version) {
    findings.push({ code: 'store/generation-mismatch', origin, args: { named, version: header.version } })
  }
  const { parentSession: parent } = header
  if (parent !== undefined) {
    const log = await logInStoreOf(path, parent, allows)
    if (log === false) findings.push({ code: 'fork/parent-missing', origin, args: { parent } })
    const parentOf = async (id: string): Promise<string | undefined> => {
      const named = id === parent ? log : await logInStoreOf(path, id, allows)
      return named ? parentNamedIn(named) : undefined
    }
    findings.push(...(await circleFindings(header, parent, origin, parentOf)))
  }
  const location = expectedLocation(path, header)
  if (location === undefined || location.expected === location.found) return findings
  const real = expectedLocation(await realpath(path), header)
  if (real === undefined || real.expected !== real.found) {
    findings.push({ code: 'store/misplaced', origin, args: { ...location } })
  }
  return findings
}

/** Most ids that a finding names. */
const MOST_NAMED = 6

async function circleFindings(
  { id }: SessionHeader,
  parent: string,
  origin: Origin,
  parentOf: Parameters<typeof circleOfParents>[2],
): Promise<readonly Finding[]> {
  const ids = await circleOfParents(id, parent, parentOf)
  if (ids === undefined) return []
  const circle = [...ids.slice(0, MOST_NAMED), ...(ids.length > MOST_NAMED ? ['…'] : [])].join(' ← ')
  return [{ code: 'fork/parent-cycle', origin, args: { circle } }]
}
