/** Where a finding is, in words: location first, so that a person can go there. */
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

/** Where it is and what is wrong there. */
export function findingText(finding: ReportFinding): string {
  return [positionText(finding), finding.message].filter(Boolean).join(': ')
}

/** Seqs, or other numbers, that follow one another. */
export function rangeText(first: number, last: number = first): string {
  return first === last ? String(first) : `${first}..${last}`
}
