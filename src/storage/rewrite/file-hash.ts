/** Hashes by which the bytes of a file are known again. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

export async function fileHash(path: string): Promise<string> {
  return hashOf([path])
}

/** Hash of a log and of what SQLite keeps next to it. */
export async function logHash(path: string): Promise<string> {
  return hashOf([path, `${path}-wal`, `${path}-journal`])
}

/** The first file has to be there. */
async function hashOf(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const [index, path] of paths.entries()) {
    const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
      if (index > 0 && error.code === 'ENOENT') return undefined
      throw error
    })
    if (file === undefined) continue
    try {
      for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer)
    } finally {
      await file.close()
    }
  }
  return hash.digest('hex')
}
