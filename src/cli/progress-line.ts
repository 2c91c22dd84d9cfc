/** How far a run has come, in one line of text that fits a terminal. Pure: no clock, no stream. */
import { escapeText } from '../report/escape-text.ts'
import { grouped, megabytes } from '../report/number-text.ts'

export interface ProgressState {
  /** The log that is read, as it is shown to the user. */
  readonly name: string
  /** Which log of how many, when there are several. */
  readonly position?: { readonly number: number; readonly count: number } | undefined
  readonly unit: 'bytes' | 'rows' | 'attempts'
  readonly done: number
  readonly total?: number | undefined
  /** Time that `done` took. */
  readonly milliseconds: number
}

/** A name is cut from the left, because the end of a path tells most; below this it says nothing. */
const SHORTEST_NAME = 10
const GAP = '  '

/** What does not fit is left out: the name is cut first, then the parts go from the right. */
export function progressLine(state: ProgressState, columns: number): string {
  // The last column stays free: a terminal may go to the next line when it is taken.
  const width = columns - 1
  const parts = [state.unit === 'attempts' ? 'searching' : 'reading', ...countsOf(state)]
  while (parts.length > 1 && parts.join(GAP).length > width) parts.pop()
  const line = parts.join(GAP)
  const room = width - line.length - GAP.length
  const name = escapeText(state.name)
  if (room < Math.min(SHORTEST_NAME, name.length)) return line.slice(0, Math.max(width, 0))
  return `${line}${GAP}${endOf(name, room)}`
}

function countsOf({ position, unit, done, total, milliseconds }: ProgressState): string[] {
  const counts =
    position === undefined ? [] : [`log ${grouped(position.number)} of ${grouped(position.count)}`]
  if (unit !== 'bytes') return [...counts, `${grouped(done)} ${unit}`]
  counts.push(total === undefined ? `${megabytes(done)} MB` : `${megabytes(done)} of ${megabytes(total)} MB`)
  if (done === 0 || milliseconds <= 0) return counts
  const perSecond = (done * 1000) / milliseconds
  counts.push(`${megabytes(perSecond)} MB/s`)
  if (total !== undefined) counts.push(`${clock(Math.max(total - done, 0) / perSecond)} left`)
  return counts
}

/** `0:05`, `12:40`, `1:02:03`; rounded up, so that it says zero only when there is nothing left. */
function clock(seconds: number): string {
  const whole = Math.ceil(seconds)
  const two = (part: number): string => String(part).padStart(2, '0')
  const minutes = Math.floor(whole / 60)
  const hours = Math.floor(minutes / 60)
  return hours > 0 ? `${hours}:${two(minutes % 60)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/**
 * The end of a name in at most `room` columns. Other than Latin characters count two columns each: that is never too
 * little, and a line that is a bit shorter costs nothing, while one that wraps cannot be erased any more.
 */
function endOf(name: string, room: number): string {
  const characters = [...name]
  const columnsOf = (character: string): number => (character <= '~' ? 1 : 2)
  let columns = characters.reduce((sum, character) => sum + columnsOf(character), 0)
  if (columns <= room) return name
  let from = 0
  while (columns > room - 1 && from < characters.length) columns -= columnsOf(characters[from++] as string)
  return `…${characters.slice(from).join('')}`
}
