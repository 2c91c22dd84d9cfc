/** What the place of a log says against its header: its generation, and the folder it lies in (format.md §1.2, §1.3). */
import { realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import type { SessionHeader } from '../core/event/session-event.ts'
import type { Finding } from '../core/findings/finding.ts'
import type { OpenedInput } from './open-input.ts'
import { expectedPlace, generationOf } from './store-layout.ts'

export async function placeFindings(
  input: Pick<OpenedInput, 'file' | 'session'>,
  header: SessionHeader | undefined,
): Promise<readonly Finding[]> {
  if (header === undefined) return []
  if (input.session !== undefined) {
    // Databases are of the time of format 0; no build reads another format from one (format.md §3).
    const { version } = header
    return version === 0 ? [] : [{ code: 'format/newer', origin: { line: 1 }, args: { version, known: 0 } }]
  }
  const findings: Finding[] = []
  const origin = { line: 1, byteOffset: 0 }
  const named = generationOf(basename(input.file))?.version
  if (named !== undefined && named !== header.version) {
    findings.push({ code: 'store/generation-mismatch', origin, args: { named, version: header.version } })
  }
  const place = expectedPlace(input.file, header)
  if (place === undefined || place.expected === place.found) return findings
  const real = expectedPlace(await realpath(input.file), header)
  if (real === undefined || real.expected !== real.found) {
    findings.push({ code: 'store/misplaced', origin, args: { ...place } })
  }
  return findings
}
