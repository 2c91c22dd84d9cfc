/** What every command that writes a file promises about its output. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { linkTarget } from '../../storage/link-target.ts'
import { mustBeVacant } from '../../storage/output-guard.ts'
import { reasonOf } from '../../storage/reason-of.ts'
import { ToolError } from '../../storage/tool-error.ts'
import { NotFlushedError } from '../../storage/write-file.ts'
import { InputOpener, type OpenedInput, type OpenOptions } from '../inputs/open-input.ts'

export const LOG_IS_SAFE = 'The original log is as it was.'

/** A copy goes to a new file; nothing is replaced. */
export async function writeCopy<Result>(
  output: string,
  { opened }: { readonly opened: ReadonlySet<string> },
  write: () => Promise<Result>,
): Promise<Result> {
  await mustBeVacant(output, opened)
  return writing(output, write, LOG_IS_SAFE)
}

/** What the system refuses is said in the words of the tool; anything else is a bug of ours. */
export async function writing<Result>(
  path: string,
  write: () => Promise<Result>,
  hint?: string,
): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    const reason = await failureOf(error, path)
    if (reason === undefined) throw error
    throw new ToolError('input', `cannot write ${path}: ${reason}`, hint)
  }
}

/** Why the file could not be written; nothing where the error says all by itself. */
async function failureOf(error: unknown, path: string): Promise<string | undefined> {
  // The file itself is written then; a file that belongs next to it may have failed.
  if (error instanceof NotFlushedError)
    return error.path === (await linkTarget(path)) ? undefined : error.reason
  if (error instanceof ToolError) return undefined
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' && !existsSync(dirname(path))) return 'there is no such folder'
  return typeof code === 'string' ? reasonOf(error) : undefined
}

/** Hands what was written to `use`, read by the code that reads any log. */
export async function withWritten<Result>(
  written: string,
  { limits, stdin, progress }: Pick<OpenOptions, 'limits' | 'stdin' | 'progress'>,
  use: (input: OpenedInput) => Promise<Result>,
  session?: string,
): Promise<Result> {
  const opener = new InputOpener({ limits, stdin, progress })
  try {
    const named = { name: written, path: written, remarks: [] }
    return await use(await opener.open({ ...named, ...(session !== undefined && { session }) }))
  } finally {
    await opener.close()
  }
}
