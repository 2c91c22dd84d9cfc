/** The same JSON in another spelling: the order of members, blanks, escapes, numbers. What a parser gives is the same. */
import type { Random } from '../random.ts'

export function spellJson(value: unknown, random: Random): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => pad(spellJson(item, random), random))
    return `[${items.join(',')}]`
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    const ordered = random.chance(0.2) ? random.shuffled(members) : members
    const spelled = ordered.map(([key, member]) => {
      const text = `${spellText(key, random)}${random.chance(0.03) ? ' ' : ''}:${pad(spellJson(member, random), random)}`
      // The last one of two counts.
      return random.chance(0.004)
        ? `${spellText(key, random)}:${random.pick(['null', '0', '[]'])},${text}`
        : text
    })
    return `{${spelled.join(',')}}`
  }
  if (typeof value === 'string') return spellText(value, random)
  if (typeof value === 'number') return spellNumber(value, random)
  return JSON.stringify(value)
}

function pad(text: string, random: Random): string {
  return random.chance(0.02) ? ` ${text}\t` : text
}

function spellText(text: string, random: Random): string {
  const plain = JSON.stringify(text)
  if (!random.chance(0.03)) return plain
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
}

function spellNumber(number: number, random: Random): string {
  if (Object.is(number, -0)) return '-0'
  const plain = JSON.stringify(number)
  if (!Number.isSafeInteger(number) || !random.chance(0.02)) return plain
  return random.pick([`${plain}.0`, `${plain}e0`, `${plain}E+0`, `${plain}.000`])
}
