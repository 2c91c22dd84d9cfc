import { utimesSync } from 'node:fs'

/** A file that nobody has written to for a while, so that it may be replaced. */
export function resting(path: string): string {
  utimesSync(path, 1_600_000_000, 1_600_000_000)
  return path
}
