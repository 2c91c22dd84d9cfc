/** Judges the first frame of a log: it must hold exactly the header line with its line feed (format.md §2.5). */
import { isJsonObject } from '../../core/json/json-value.ts'
import { LF } from './frame-lines.ts'

/** What the frame holds instead; absent when it is as it should be. */
export function headerFrameProblem(content: Buffer): string | undefined {
  const firstEnd = content.indexOf(LF)
  if (content.length === 0) return 'nothing'
  if (firstEnd === -1) return 'no line feed'
  if (firstEnd === content.length - 1) return undefined
  let lines = 0
  for (let at = firstEnd; at !== -1; at = content.indexOf(LF, at + 1)) lines++
  const rest = content[content.length - 1] === LF ? '' : ' and the start of another line'
  if (!isHeader(content.subarray(0, firstEnd))) return `${lines} ${lines === 1 ? 'line' : 'lines'}${rest}`
  if (lines === 1) return `the header${rest}`
  const events = `${lines - 1} ${lines === 2 ? 'event' : 'events'}`
  return rest === '' ? `the header and ${events}` : `the header, ${events}${rest}`
}

function isHeader(line: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    return isJsonObject(value) && value.type === 'session'
  } catch {
    return false
  }
}
