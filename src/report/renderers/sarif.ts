/**
 * SARIF 2.1.0 for code scanning: one run, every rule, every finding. A result points into the file as it is stored, by
 * line where it is text and by byte where it is not, and names the event, row or frame as a logical location.
 */
import type { Severity } from '../../core/findings/finding.ts'
import { type FindingCode, RULES, ruleOf } from '../../core/findings/rules.ts'
import { escapeText } from '../escape-text.ts'
import { compact } from '../json-text.ts'
import { plural } from '../number-text.ts'
import type { Report, ReportFinding, ReportSet } from '../report.ts'
import { fileLineOf, fileOf, leavesUnchecked, pathOf, ruleCountsOf, unlistedOf } from './check-set.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'
const FINGERPRINT = 'resurface/v1'
const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' }

const CODES = Object.keys(RULES) as FindingCode[]
const RULE_INDEX: ReadonlyMap<string, number> = new Map(CODES.map((code, index) => [code, index]))

/** @param version - of this program. */
export function* renderSarif(set: ReportSet<'check'>, version: string): Iterable<string> {
  const { reports, unread = [] } = set
  const files = [...new Set(reports.map(fileOf))]
  const unchecked = reports.flatMap(ruleCountsOf).some(({ code }) => leavesUnchecked(code))
  const invocation = {
    executionSuccessful: unread.length === 0 && !unchecked,
    toolExecutionNotifications: [
      ...unread.map((input) => ({ level: 'error', message: message(input.message) })),
      ...reports.flatMap(notificationsOf),
    ],
  }
  yield `{\n"$schema": ${compact(SCHEMA)},\n"version": "2.1.0",\n"runs": [{\n`
  yield `"tool": {"driver": {"name": "resurface", "version": ${compact(version)}, "rules": `
  yield* list(CODES.map(descriptorOf))
  yield '}},\n"invocations": '
  yield* list([invocation])
  yield ',\n"artifacts": '
  yield* list(files.map((file) => ({ location: { uri: uriOf(file) } })))
  yield ',\n"results": '
  yield* list(resultsOf(reports, files))
  yield ',\n"properties": {"logs": '
  yield* list(reports.map(logOf))
  yield '}\n}]\n}\n'
}

function* list(items: Iterable<object>): Iterable<string> {
  let separator = '[\n'
  for (const item of items) {
    yield `${separator}${compact(item)}`
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]' : '\n]'
}

function descriptorOf(code: FindingCode): object {
  const { severity, layer, title, why, fix, repairable, source } = ruleOf(code)
  return {
    id: code,
    shortDescription: message(title),
    fullDescription: message(why),
    help: message(fix),
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: [layer], repairable, source },
  }
}

/** Verdicts, also of the logs without a result. */
function logOf(report: Report<'check'>): object {
  const { subject, verdict } = report
  return { path: pathOf(report), sessionId: subject?.sessionId, container: subject?.container, verdict }
}

/** What the results alone do not say: which logs were not checked fully, and how many findings are not listed. */
function notificationsOf(report: Report<'check'>): readonly object[] {
  const notify = (code: string, text: string): object => ({
    level: 'warning',
    message: message(`${escapeText(pathOf(report))}: ${text}`),
    associatedRule: ruleReference(code),
  })
  return ruleCountsOf(report).flatMap((rule) => {
    const unlisted = unlistedOf(rule, report.findings)
    return [
      ...(leavesUnchecked(rule.code) ? [notify(rule.code, 'the log was not checked fully')] : []),
      ...(unlisted > 0 ? [notify(rule.code, `${plural(unlisted, 'more finding')} of this rule`)] : []),
    ]
  })
}

function ruleReference(code: string): object {
  const index = RULE_INDEX.get(code)
  return { id: code, ...(index !== undefined && { index }) }
}

function* resultsOf(reports: readonly Report<'check'>[], files: readonly string[]): Iterable<object> {
  for (const report of reports) {
    const file = fileOf(report)
    const artifactLocation = { uri: uriOf(file), index: files.indexOf(file) }
    for (const finding of report.findings) yield resultOf(finding, report, artifactLocation)
  }
}

function resultOf(finding: ReportFinding, report: Report<'check'>, artifactLocation: object): object {
  const { code, severity, layer, related, causedBy, fingerprint } = finding
  const ruleIndex = RULE_INDEX.get(code)
  const region = regionOf(finding, report)
  const logicalLocations = logicalLocationsOf(finding, report)
  const location = {
    physicalLocation: { artifactLocation, ...(region !== undefined && { region }) },
    ...(logicalLocations.length > 0 && { logicalLocations }),
  }
  return {
    ruleId: code,
    ...(ruleIndex !== undefined && { ruleIndex }),
    level: LEVELS[severity],
    message: message(finding.message),
    locations: [location],
    ...(related !== undefined && {
      relatedLocations: related.map((seq, id) => ({
        id,
        message: message(`event ${seq}`),
        physicalLocation: { artifactLocation },
        logicalLocations: [logical('event', 'seq', seq, report)],
      })),
    }),
    partialFingerprints: { [FINGERPRINT]: fingerprint },
    properties: { layer, ...(causedBy !== undefined && { causedBy }) },
  }
}

/** Offsets in a gzip stream are those of what was unpacked, and a database is not read by offset. */
function regionOf(finding: ReportFinding, report: Report<'check'>): object | undefined {
  const { byteOffset, byteLength } = finding
  const startLine = fileLineOf(report, finding)
  const container = report.subject?.container
  const hasBytes = byteOffset !== undefined && (container === 'jsonl' || container === 'zstd')
  if (startLine === undefined && !hasBytes) return undefined
  return {
    ...(startLine !== undefined && { startLine }),
    ...(hasBytes && { byteOffset }),
    ...(hasBytes && container === 'jsonl' && byteLength !== undefined && { byteLength }),
  }
}

function logicalLocationsOf(finding: ReportFinding, report: Report<'check'>): readonly object[] {
  const { seq, row, frame, line } = finding
  return [
    ...(seq !== undefined ? [logical('event', 'seq', seq, report)] : []),
    ...(row !== undefined ? [logical('row', 'row', row, report)] : []),
    ...(frame !== undefined ? [logical('frame', 'frame', frame, report)] : []),
    ...(line !== undefined && fileLineOf(report, finding) === undefined
      ? [logical('line', 'line', line, report)]
      : []),
  ]
}

function logical(kind: string, word: string, number: number, report: Report<'check'>): object {
  const name = `${word} ${number}`
  const session = report.subject?.sessionId
  const fullyQualifiedName = session === undefined ? name : `${escapeText(session)}/${name}`
  return { name, fullyQualifiedName, kind }
}

/** Text that reads as itself: no placeholder (§3.11.5), no link that the log made up (§3.11.6). */
function message(text: string): { readonly text: string } {
  const inert = escapeText(text).replace(/[{}]/g, '$&$&').replace(/\]\(/g, '\\](')
  return { text: inert }
}

/** Relative as the log was named, so that a report means the same on another machine. */
function uriOf(named: string): string {
  const path = named.replace(/^[A-Za-z]:[\\/].*/, (drive) => `/${drive.replaceAll('\\', '/')}`)
  const segments = path.replace(/^(?:\.\/+)+/, '').split('/')
  const encoded = segments
    .map((segment) => encodeURIComponent(segment.replace(/\p{Cs}/gu, '\ufffd')))
    .join('/')
  return path.startsWith('/') ? `file://${encoded}` : encoded
}
