/** Tests that need what not every machine has. Where it is missing, the title of what is skipped says so. */
import { describe, test } from 'vitest'

/** @param missing - why the suite cannot run here; `undefined` when it can. Skipped, it is a single test. */
export function describeUnlessMissing(missing: string | undefined, title: string, body: () => void): void {
  if (missing === undefined) describe(title, body)
  else skipped(title, missing)
}

/** @param missing - why the test cannot run here; `undefined` when it can. */
export function testUnlessMissing(
  missing: string | undefined,
  title: string,
  body: () => Promise<void> | void,
): void {
  if (missing === undefined) test(title, body)
  else skipped(title, missing)
}

function skipped(title: string, missing: string): void {
  test.skip(`${title} (skipped: ${missing})`, () => {})
}
