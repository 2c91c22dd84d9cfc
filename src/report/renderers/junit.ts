/**
 * JUnit XML: a suite for every log, a case for every rule that was broken, one case that passes for a log without
 * findings. Errors are failures, warnings and notes pass with their text; a log that could not be checked is skipped
 * there, because that is not a pass. An input that could not be read is an error.
 */
import { escapeText } from '../escape-text.ts'
import { plural } from '../number-text.ts'
import { positionText } from '../position-text.ts'
import type { Report, ReportSet, RuleCount, UnreadInput } from '../report.ts'
import { leavesUnchecked, pathOf, ruleCountsOf, unlistedOf } from './check-set.ts'

export function* renderJunit(set: ReportSet<'check'>): Iterable<string> {
  const { reports, unread = [] } = set
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  const outcomes = [...reports.flatMap(outcomesOf), ...unread.map((): Outcome => 'unread')]
  yield `<testsuites name="resurface" ${totals(outcomes)}>\n`
  for (const report of reports) yield* suite(report)
  for (const input of unread) yield* unreadSuite(input)
  yield '</testsuites>\n'
}

type Outcome = 'passed' | 'failed' | 'skipped' | 'unread'

function outcomeOf({ code, severity }: RuleCount): Outcome {
  if (severity === 'error') return 'failed'
  return leavesUnchecked(code) ? 'skipped' : 'passed'
}

function outcomesOf(report: Report<'check'>): readonly Outcome[] {
  const rules = ruleCountsOf(report)
  return rules.length === 0 ? ['passed'] : rules.map(outcomeOf)
}

function totals(outcomes: readonly Outcome[]): string {
  const count = (wanted: Outcome): number => outcomes.filter((outcome) => outcome === wanted).length
  const troubles = `failures="${count('failed')}" errors="${count('unread')}" skipped="${count('skipped')}"`
  return `tests="${outcomes.length}" ${troubles} time="0"`
}

function* suite(report: Report<'check'>): Iterable<string> {
  const { subject, verdict } = report
  const name = xml(pathOf(report))
  yield `  <testsuite name="${name}" ${totals(outcomesOf(report))}>\n`
  const properties = [
    ['verdict', verdict],
    ['session', subject?.sessionId],
    ['container', subject?.container],
  ].filter(([, value]) => value !== undefined)
  yield '    <properties>\n'
  for (const [key, value] of properties)
    yield `      <property name="${key}" value="${xml(String(value))}"/>\n`
  yield '    </properties>\n'
  const rules = ruleCountsOf(report)
  if (rules.length === 0) yield `    <testcase name="clean" classname="${name}" time="0"/>\n`
  for (const rule of rules) yield* testcase(rule, report, name)
  yield '  </testsuite>\n'
}

function* unreadSuite({ path, message }: UnreadInput): Iterable<string> {
  const name = xml(path)
  yield `  <testsuite name="${name}" ${totals(['unread'])}>\n`
  yield `    <testcase name="input" classname="${name}" time="0">\n`
  yield `      <error type="input" message="${xml(message)}"/>\n`
  yield '    </testcase>\n  </testsuite>\n'
}

function* testcase(rule: RuleCount, report: Report<'check'>, classname: string): Iterable<string> {
  const { code, count, title } = rule
  const outcome = outcomeOf(rule)
  const heading = xml(count > 1 ? `${title} (${plural(count, 'time')})` : title)
  yield `    <testcase name="${xml(code)}" classname="${classname}" time="0">\n`
  if (outcome === 'skipped') yield `      <skipped message="${heading}"/>\n`
  const element = outcome === 'failed' ? 'failure' : 'system-out'
  yield outcome === 'failed'
    ? `      <failure type="${xml(code)}" message="${heading}">`
    : '      <system-out>'
  for (const line of linesOf(rule, report)) yield `${xml(line)}\n`
  yield `</${element}>\n    </testcase>\n`
}

function* linesOf(rule: RuleCount, report: Report<'check'>): Iterable<string> {
  const { code, severity } = rule
  for (const finding of report.findings) {
    if (finding.code !== code) continue
    yield [severity, positionText(finding), finding.message].filter((part) => part !== '').join(': ')
  }
  const unlisted = unlistedOf(rule, report.findings)
  if (unlisted > 0) yield `… and ${plural(unlisted, 'more finding')} of this rule`
  yield* [`why: ${rule.why}`, `fix: ${rule.fix}`]
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML cannot hold at all, not even as entities, are shown as their escape. */
function xml(text: string): string {
  return escapeText(text)
    .replace(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"]/g, (character) => ENTITIES[character] as string)
}
