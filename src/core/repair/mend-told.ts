/** Members that the rest of the log tells: what a check found out is written into the event. */
import type { Finding } from '../findings/finding.ts'
import type { FindingCode } from '../findings/rules.ts'
import type { Mending } from './event-edits.ts'
import { step } from './repair-step.ts'
import type { RowPatch } from './row-patch.ts'

interface Told {
  readonly seqs: number[]
  readonly members: Set<string>
}

/** @param findings - of single events, with what each would have to say. One step for each rule. */
export function mendTold(findings: readonly Finding[]): Mending {
  const patches = new Map<number, RowPatch[]>()
  const byRule = new Map<FindingCode, Told>()
  for (const { code, seq, told } of findings) {
    if (seq === undefined || told === undefined) continue
    patches.set(seq, [...(patches.get(seq) ?? []), { kind: 'members', changes: told }])
    const { seqs, members } = byRule.get(code) ?? { seqs: [], members: new Set<string>() }
    byRule.set(code, { seqs, members })
    seqs.push(seq)
    for (const { at } of told) members.add(String(at.at(-1)))
  }
  const steps = [...byRule].map(([finding, { seqs, members }]) =>
    step('mend-relations', { members: [...members] }, { finding, seqs }),
  )
  return { steps, edits: { patches } }
}
