/** What a signal does to a run. */

let isReading = false
let askToEnd: (() => void) | undefined

/** A signal ends the run through an exit, which removes private copies. */
export function exitOnSignals(): void {
  process.on('SIGINT', () => {
    if (isReading) return
    const ask = askToEnd
    askToEnd = undefined
    if (ask === undefined) process.exit(130)
    ask()
  })
  process.on('SIGTERM', () => process.exit(143))
}

/** The next interrupt asks the run to end, the one after it ends the process. */
export function onInterrupt(ask: () => void): void {
  askToEnd = ask
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
