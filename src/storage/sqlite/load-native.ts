/**
 * Loads the native SQLite module, and only when a database is to be opened: anyone who works with JSONL needs neither
 * the module nor a compiler. That it is missing or does not fit this Node is the one thing decided here.
 */
import type Database from 'better-sqlite3'
import { ToolError } from '../tool-error.ts'

export type NativeSqlite = typeof Database

/** An open database of the native module. */
export type Connection = Database.Database

export async function loadNative(
  load: () => Promise<{ readonly default: NativeSqlite }> = () => import('better-sqlite3'),
): Promise<NativeSqlite> {
  try {
    const { default: native } = await load()
    // The binary is loaded by the first connection, not by the import.
    new native(':memory:').close()
    return native
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
    throw new ToolError(
      'input',
      missing
        ? 'a SQLite database is read with the optional package better-sqlite3, which is not installed'
        : `the optional package better-sqlite3 cannot be loaded: ${firstLine(error)}`,
      'Run "npm install better-sqlite3@12" where resurface is installed, with the Node that runs it.',
    )
  }
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n', 1)[0] as string
}
