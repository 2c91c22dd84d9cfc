/** Where a finding is, in words: location first, so that a person can go there. */
import { grouped } from './number-text.ts'
import type { ReportFinding } from './report.ts'

export function positionText(finding: ReportFinding): string {
  const parts: string[] = []
  if (finding.row !== undefined) parts.push(`row ${finding.row}`)
  if (finding.line !== undefined) parts.push(`line ${finding.line}`)
  if (finding.frame !== undefined) parts.push(`frame ${finding.frame}`)
  if (finding.seq !== undefined) parts.push(`seq ${finding.seq}`)
  if (parts.length === 0 && finding.byteOffset !== undefined) parts.push(`byte ${finding.byteOffset}`)
  return parts.join(', ')
}

export function plural(count: number, noun: string, nouns: string = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : nouns}`
}
