/** The remedy of a rule for one log: commands name its path, and the event that the first finding is about. */
import type { ReportFinding } from './report.ts'
import { shellWord } from './shell-word.ts'

/** @param path - of the log; without one the remedy keeps LOG for it. */
export function remedyText(
  fix: string,
  path: string | undefined,
  finding?: Pick<ReportFinding, 'seq'>,
): string {
  const seq = finding?.seq
  const values: Record<string, string | undefined> = {
    LOG: path === undefined ? 'LOG' : shellWord(path),
    SEQ: seq?.toString(),
  }
  // A sentence that cannot be filled in, because the finding is about no event, is left out.
  return fix
    .split(SENTENCE)
    .filter((sentence) => [...sentence.matchAll(PLACE)].every(([place]) => values[place] !== undefined))
    .map((sentence) => sentence.replace(PLACE, (place) => values[place] ?? place))
    .join(' ')
}

const SENTENCE = /(?<=\.) (?=[A-Z])/
const PLACE = /\b(?:LOG|SEQ)\b/g
