/** The report in what `--json` printed about one log. */

// biome-ignore lint/suspicious/noExplicitAny: JSON that a test takes apart; the schemas are tested elsewhere.
export function reportIn(printed: string): any {
  const { reports, unread = [] } = JSON.parse(printed)
  if (reports.length !== 1 || unread.length > 0) throw new Error(`not one report: ${printed.slice(0, 300)}`)
  return reports[0]
}
