/** The rules, in short or one in full. */
import type { Cell, Tone } from '../section.ts'
import { dataOf, type View } from './view.ts'

export interface ExplainedRule {
  readonly code: string
  readonly severity: 'error' | 'warning' | 'info'
  readonly layer: string
  readonly title: string
  readonly why: string
  readonly fix: string
  readonly repairable: boolean
  readonly source: string
}

export interface ExplainData {
  readonly rules: readonly ExplainedRule[]
}

export const explainView: View = {
  rows: { member: 'rules', kind: 'rule' },
  *sections(report) {
    const { rules } = dataOf<ExplainData>(report)
    const [rule] = rules
    if (rules.length === 1 && rule !== undefined) {
      yield { kind: 'heading', text: `${rule.code}: ${rule.title}`, tone: rule.severity }
      const rows: (readonly [string, Cell])[] = [
        ['severity', rule.severity],
        ['layer', rule.layer],
        ['why', rule.why],
        ['fix', rule.fix],
        ['repairable', rule.repairable ? 'yes' : 'no'],
        ['source', rule.source],
      ]
      yield { kind: 'fields', rows }
      return
    }
    const columns = [
      { label: 'severity', width: 8 },
      { label: 'code', width: 30 },
      { label: 'title', width: 0 },
    ]
    yield {
      kind: 'rows',
      columns,
      rows: rules.map(({ severity, code, title }) => [
        { text: severity, tone: severity as Tone },
        code,
        title,
      ]),
    }
  },
}
