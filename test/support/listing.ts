/** Everything that another program could see of a folder, but for the times of last access. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export function listing(root: string): unknown[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const path = join(root, name)
      const { ino, mode, size, mtimeNs, ctimeNs, nlink } = statSync(path, { bigint: true })
      const isFile = statSync(path).isFile()
      const hash = isFile ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''
      return { name, ino, mode, size, mtimeNs, ctimeNs, nlink, hash }
    })
}
