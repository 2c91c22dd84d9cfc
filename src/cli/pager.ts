/**
 * A long report on a terminal goes through a pager: the one that `RESURFACE_PAGER` or `PAGER` names, with its arguments
 * between spaces, or else `less`. `cat` or an empty name means none. Never in a pipe or a dumb terminal.
 */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { whileReading } from './signals.ts'

export interface Pager {
  readonly input: Writable
  /** Resolves when the reader has closed it. */
  close(): Promise<void>
}

/** Leave when all fits on the screen, show colours, leave the screen as it is: unless the user has said otherwise. */
const LESS = 'FRX'

/** Absent where there is nothing to page with. */
export async function startPager(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Pager | undefined> {
  if (env.TERM === 'dumb') return undefined
  const [command, ...args] = (env.RESURFACE_PAGER ?? env.PAGER ?? 'less').trim().split(/\s+/)
  if (command === undefined || command === '' || command === 'cat') return undefined
  const { spawn } = await import('node:child_process')
  const child = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'], env: { LESS, ...env } })
  const over = once(child, 'close')
  try {
    await Promise.race([once(child, 'spawn'), over])
  } catch {
    // There is no such program.
    return undefined
  }
  const close = async (): Promise<void> => {
    child.stdin.end()
    await whileReading(over)
  }
  return { input: child.stdin, close }
}
