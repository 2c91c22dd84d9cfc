/** What a signal does to a run. */

let isReading = false

/** A signal ends the run through an exit, which removes private copies. */
export function exitOnSignals(): void {
  process.on('SIGINT', () => {
    if (!isReading) process.exit(130)
  })
  process.on('SIGTERM', () => process.exit(143))
}

/** While somebody reads in a pager, an interrupt is meant for the pager. */
export async function whileReading(over: Promise<unknown>): Promise<void> {
  isReading = true
  try {
    await over
  } finally {
    isReading = false
  }
}
