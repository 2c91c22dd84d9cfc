/** Workflow commands: one line each, escaped as the runner unescapes them, no more than are shown. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderGithub } from '../../src/report/renderers/github.ts'
import type { Report, ReportFinding, ReportSet } from '../../src/report/report.ts'
import { asReportSet, checkReport, finding, hostileReport, reportSet, ruleCount } from './saved-checks.ts'

interface Annotation {
  readonly command: string
  readonly properties: Readonly<Record<string, string>>
  readonly message: string
}

/** What the runner of GitHub makes of a line. */
function annotationOf(line: string): Annotation {
  const [, command = '', properties = '', message = ''] = /^::(\w+) (.*?)::(.*)$/.exec(line) ?? []
  const pairs = properties.split(',').map((pair) => {
    const [key = '', value = ''] = pair.split('=', 2)
    return [key, unescaped(value).replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%25/g, '%')]
  })
  return { command, properties: Object.fromEntries(pairs), message: unescaped(message).replace(/%25/g, '%') }
}

const unescaped = (text: string): string => text.replace(/%0D/g, '\r').replace(/%0A/g, '\n')

function github(set: Report<'check'> | ReportSet<'check'>): {
  annotations: readonly Annotation[]
  summary: string
} {
  const lines = [...renderGithub(asReportSet(set))].join('').split('\n')
  expect(lines.pop()).toBe('')
  const summary = lines.pop() as string
  for (const line of lines) expect(line).toMatch(/^::(?:error|warning|notice) [^:]*::/)
  return { annotations: lines.map(annotationOf), summary }
}

const many = (
  count: number,
  severity: ReportFinding['severity'],
  code = 'turn/open',
): readonly ReportFinding[] => Array.from({ length: count }, (_, seq) => finding(code, { severity, seq }))

test('an annotation names file, line and code, and says what to do', () => {
  const { annotations, summary } = github(checkReport([finding('order/seq-repeated')]))
  expect(annotations).toEqual([
    {
      command: 'error',
      properties: { file: 'logs/session.jsonl', line: '11', title: 'order/seq-repeated' },
      message: expect.stringMatching(
        /^logs\/session\.jsonl, line 11, seq 8: expected seq 10, found 8\nA repair keeps the branch that continues/,
      ),
    },
  ])
  expect(summary).toBe('1 log checked: 1 error, 0 warnings, 0 notes')
})

test('a clean log has no annotation', () => {
  expect(github(checkReport([]))).toEqual({
    annotations: [],
    summary: '1 log checked: 0 errors, 0 warnings, 0 notes',
  })
})

test('lines are named in text only, and standard input is no file', () => {
  const properties = (subject: Parameters<typeof checkReport>[1]) =>
    Object.keys(github(checkReport([finding('turn/open')], subject)).annotations[0]?.properties ?? {})
  expect(properties({ container: 'zstd' })).toEqual(['file', 'title'])
  expect(properties({ path: '-' })).toEqual(['title'])
  const { annotations } = github(
    checkReport([finding('turn/open')], { path: 'store.db#id', container: 'sqlite' }),
  )
  expect(annotations[0]?.properties.file).toBe('store.db')
})

describe('no more than GitHub shows', () => {
  const counted = (set: Report<'check'> | ReportSet<'check'>) => {
    const { annotations } = github(set)
    const of = (command: string) => annotations.filter((one) => one.command === command).length
    return {
      error: of('error'),
      warning: of('warning'),
      notice: of('notice'),
      last: annotations.at(-1)?.message,
    }
  }

  test('ten of a kind, errors first, and how many were left out', () => {
    const findings = [...many(12, 'info', 'bytes/crlf'), ...many(11, 'warning'), ...many(13, 'error')]
    expect(counted(checkReport(findings))).toEqual({
      error: 10,
      warning: 10,
      notice: 10,
      last: '7 more findings without an annotation: GitHub shows 10 of a kind',
    })
    const commands = github(checkReport(findings)).annotations.map(({ command }) => command)
    expect(commands).toEqual([
      ...Array<string>(10).fill('error'),
      ...Array<string>(10).fill('warning'),
      ...Array<string>(10).fill('notice'),
    ])
  })

  test('ten of each are all shown', () => {
    const findings = [...many(10, 'info', 'bytes/crlf'), ...many(10, 'warning'), ...many(10, 'error')]
    expect(counted(checkReport(findings))).toMatchObject({ error: 10, warning: 10, notice: 10 })
    expect(counted(checkReport(findings)).last).not.toContain('without an annotation')
  })

  test('the ten places are shared by all logs, and findings that were only counted count', () => {
    const flooded = checkReport(many(8, 'error'))
    const rules = [ruleCount('turn/open', 'error', 1000)]
    const set = reportSet([{ ...flooded, data: { ...flooded.data, rules } }, checkReport(many(8, 'error'))])
    expect(counted(set)).toMatchObject({ error: 10, notice: 1 })
    expect(counted(set).last).toMatch(/^998 more findings/)
  })

  test('causes come before what follows from them', () => {
    const follows = many(10, 'error').map((one) => ({ ...one, causedBy: 'x' }))
    const { annotations } = github(checkReport([...follows, finding('order/seq-gap')]))
    expect(annotations[0]?.properties.title).toBe('order/seq-gap')
  })

  test('an input that could not be read comes first', () => {
    const set = reportSet([checkReport(many(10, 'error'))], {
      unread: [{ path: 'x', message: 'cannot read x' }],
    })
    const { annotations, summary } = github(set)
    expect(annotations[0]).toMatchObject({ command: 'error', message: 'cannot read x' })
    expect(counted(set)).toMatchObject({ error: 10, notice: 1 })
    expect(summary).toContain('1 input not read')
  })
})

describe('hostile text', () => {
  test('starts no command of its own', () => {
    const { annotations } = github(hostileReport())
    expect(annotations).toHaveLength(2)
    expect(annotations[0]?.message).toContain('% :,\\r\\n::error::x')
    expect(annotations[0]?.properties.title).toContain('% :,\\r\\n::error::x')
  })

  test('is one line an annotation, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' }), (a, b) => {
        const { annotations } = github(checkReport([finding(a, { message: b })], { path: `${b}.jsonl` }))
        expect(annotations).toHaveLength(1)
        expect(Object.keys(annotations[0]?.properties ?? {})).toEqual(['file', 'line', 'title'])
      }),
    )
  })
})
