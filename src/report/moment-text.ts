/** Times for people, in UTC. A log may hold any number for one: what is no date is shown as the number. */

/** `2026-11-30 17:52:04` */
export function momentText(ms: number): string {
  return timeText(ms)?.slice(0, -5).replace('T', ' ') ?? String(ms)
}

/** The time of the day alone, for what is under a date. */
export function clockText(ms: number): string {
  return momentText(ms).replace(/^.* /, '')
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** `1.5 min`: in the largest unit that it is one or more of. */
export function spanText(ms: number): string {
  for (const [name, length] of UNITS) if (ms >= length) return `${Number((ms / length).toFixed(1))} ${name}`
  return `${Math.max(Math.round(ms), 0)} ms`
}

/** A moment for people; absent for a number that is none. */
export function timeText(ms: number | undefined): string | undefined {
  if (ms === undefined || !Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return undefined
  return new Date(ms).toISOString()
}
