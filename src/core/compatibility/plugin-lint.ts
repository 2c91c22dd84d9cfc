/**
 * The lint for authors of plugins (`check --profile plugin`): faults that no reader minds today and the next format
 * refuses the whole log for. Grouped by kind, with the place of the first and how often each occurs; unknown types
 * that are not even marked ignorable are findings without it.
 */

import type { Finding } from '../findings/finding.ts'
import type { FindingCode } from '../findings/rules.ts'
import type { JsonObject } from '../json/json-value.ts'
import { unconcerned } from '../replay/quiet-run.ts'
import type { Reducer, ReplayStep } from '../replay/reducer.ts'
import { type LatentFault, latentFaults } from './latent-faults.ts'

/** Kinds that are told apart; a plugin that invents more of them has been told enough. */
const MOST_KINDS = 500

export function pluginLint(): Reducer<readonly Finding[]> {
  const groups = new Map<string, { readonly finding: Finding; count: number }>()

  function note({ event, origin }: ReplayStep, code: FindingCode, args: JsonObject): void {
    const key = `${code} ${JSON.stringify(args)}`
    const group = groups.get(key)
    if (group !== undefined) group.count++
    else if (groups.size < MOST_KINDS)
      groups.set(key, { finding: { code, origin, seq: event.seq, args }, count: 1 })
  }

  return {
    skim: unconcerned,
    on(step) {
      const { event, dialect } = step
      const { type, ignorable } = event
      if (!dialect.knows(type)) {
        if (ignorable === true) note(step, 'plugin/ignorable-type', { type })
        return
      }
      latentFaults(event, dialect.version, (fault) => note(step, CODE[fault.kind], argsOf(fault)))
    },
    finish: () =>
      [...groups.values()].map(({ finding, count }) => ({ ...finding, args: { ...finding.args, count } })),
  }
}

/** Without the profile nothing of it is looked at. */
export const noLint: Reducer<readonly Finding[]> = { skim: unconcerned, on() {}, finish: () => [] }

const CODE: Readonly<Record<LatentFault['kind'], FindingCode>> = {
  member: 'plugin/extra-member',
  source: 'plugin/undeclared-source',
  form: 'plugin/source-form',
  content: 'plugin/undeclared-content',
}

function argsOf(fault: LatentFault): JsonObject {
  switch (fault.kind) {
    case 'member':
      return { what: fault.of, member: fault.member }
    case 'source':
      return { what: fault.source }
    case 'form':
      return { what: fault.problem }
    case 'content':
      return { what: fault.block }
  }
}
