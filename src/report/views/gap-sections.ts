/** The gaps of a log: a marker where one is, and a list of what is lost. */
import type { PlacedGap } from '../../core/replay/gap.ts'
import { gapText, gapTexts } from '../gap-text.ts'
import { plural } from '../number-text.ts'
import type { Entry, Section, Toned } from '../section.ts'

/** The marker of a gap, in its place between other entries. */
export function gapEntry(gap: PlacedGap): Entry {
  const texts = gapTexts(gap)
  return {
    heading: `… ${gapText(gap)} …`,
    tone: 'error',
    ...(texts.length > 0 && { body: texts.map((text) => `readable: ${text}`).join('\n') }),
  }
}

const MOST_LISTED = 20

/** @param count - all gaps, when `gaps` are the first of them. */
export function* gapSections(gaps: readonly PlacedGap[], count = gaps.length): Iterable<Section> {
  if (gaps.length === 0) return
  const items: Toned[] = []
  for (const gap of gaps.slice(0, MOST_LISTED)) {
    items.push({ text: `  lost: ${gapText(gap)}`, tone: 'error' })
    for (const text of gapTexts(gap)) items.push({ text: `    readable: ${text}`, tone: 'dim' })
  }
  const more = count - Math.min(gaps.length, MOST_LISTED)
  if (more > 0) items.push({ text: `  and ${plural(more, 'more gap')}`, tone: 'error' })
  yield { kind: 'list', items }
}

/** What is made of the nodes of a surface in their order, and of the gaps after the nodes where they are. */
export function* withGaps<Node, Gap extends { readonly after?: number }, Made>(
  nodes: Iterable<Node>,
  gaps: readonly Gap[],
  seqOf: (node: Node) => number,
  makeNode: (node: Node) => Made,
  makeGap: (gap: Gap) => Made,
): Iterable<Made> {
  const byNode = new Map<number | undefined, Gap[]>()
  for (const gap of gaps) byNode.set(gap.after, [...(byNode.get(gap.after) ?? []), gap])
  for (const gap of byNode.get(undefined) ?? []) yield makeGap(gap)
  for (const node of nodes) {
    yield makeNode(node)
    for (const gap of byNode.get(seqOf(node)) ?? []) yield makeGap(gap)
  }
}
