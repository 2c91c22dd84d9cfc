/** The page that GitHub shows for a step: Markdown appended to a file, of which GitHub takes no more than 1 MiB. */
import { open } from 'node:fs/promises'
import type { Chunks } from '../report/renderers/render.ts'

const MOST_BYTES = 1024 * 1024
const CUT = '\n… The summary of a step holds 1 MiB; the rest was left out.\n'

export async function appendStepSummary(path: string, chunks: Chunks): Promise<void> {
  const file = await open(path, 'a')
  try {
    let room = MOST_BYTES - (await file.stat()).size - Buffer.byteLength(CUT)
    for await (const chunk of chunks) {
      room -= Buffer.byteLength(chunk)
      if (room < 0) {
        await file.writeFile(CUT)
        return
      }
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
}
