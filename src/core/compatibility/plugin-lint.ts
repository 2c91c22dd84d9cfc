/**
 * The lint for authors of plugins (`check --profile plugin`): faults that no reader minds today and the next format
 * refuses the whole log for. Grouped by kind, with the place of the first and how often each occurs; unknown types
 * that are not even marked ignorable are findings without it.
 */

import { type Finding, findingOf } from '../findings/finding.ts'
import type { EvidenceOf, FindingCode } from '../findings/rules.ts'
import { stringifyJson } from '../json/stringify-json.ts'
import { ignoreDeltas } from '../replay/delta-run.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { eventRefusals } from './event-refusals.ts'

type LintCode = Extract<FindingCode, `plugin/${string}`>

/** Kinds that are distinguished; a plugin that invents more of them has been told enough. */
const MOST_KINDS = 500

export function pluginLint(): Reducer<readonly Finding[]> {
  const groups = new Map<string, { readonly finding: (count: number) => Finding; count: number }>()

  function note<Code extends LintCode>(
    { event, origin }: ReplayStep,
    code: Code,
    args: Omit<EvidenceOf<Code>, 'count'>,
  ): void {
    const key = `${code} ${stringifyJson(args)}`
    const group = groups.get(key)
    if (group !== undefined) group.count++
    else if (groups.size < MOST_KINDS) {
      const finding = (count: number): Finding =>
        findingOf(code, { ...args, count } as EvidenceOf<Code>, { origin, seq: event.seq })
      groups.set(key, { finding, count: 1 })
    }
  }

  return {
    onDeltas: ignoreDeltas,
    on(step) {
      const { event, dialect } = step
      const { type, ignorable } = event
      if (!dialect.knows(type)) {
        if (ignorable === true) note(step, 'plugin/ignorable-type', { type })
        return
      }
      eventRefusals(event, dialect.version, ({ problem, of, what, needs }) => {
        if (problem === 'unexpected') note(step, 'plugin/extra-member', { what: of, member: what })
        else if (problem === 'source') note(step, 'plugin/undeclared-source', { what })
        else if (problem === 'form') note(step, 'plugin/source-form', { what: `${what} that ${needs}` })
        else if (problem === 'content') note(step, 'plugin/undeclared-content', { what })
      })
    },
    finish: () => [...groups.values()].map(({ finding, count }) => finding(count)),
  }
}

/** Without the profile nothing of it is looked at. */
export const noLint: Reducer<readonly Finding[]> = { onDeltas: ignoreDeltas, on() {}, finish: () => [] }
