/** Writes an example log, with the folders that belong to it, into a folder of its own: nothing there is replaced. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RuleExample } from '../report/rule-example.ts'
import { reasonOf } from '../storage/reason-of.ts'
import { ToolError } from '../storage/tool-error.ts'
import { exampleBytes } from './read-rule-examples.ts'

export async function writeExample({ files }: RuleExample, folder: string): Promise<void> {
  if (folder === '') throw new ToolError('usage', 'an empty name names no folder')
  try {
    await mkdir(folder, { recursive: true })
    if ((await readdir(folder)).length > 0) {
      throw new ToolError(
        'usage',
        `${folder} is not empty`,
        'An example is written to a new folder: other files could change what is found.',
      )
    }
    for (const file of files) {
      const path = join(folder, file.path)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, exampleBytes(file), { flag: 'wx' })
    }
  } catch (error) {
    if (error instanceof ToolError) throw error
    throw new ToolError('input', `cannot write to ${folder}: ${reasonOf(error)}`)
  }
}
