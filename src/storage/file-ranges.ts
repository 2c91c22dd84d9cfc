/** Bytes of a file that are carried elsewhere. */
import { type FileHandle, open } from 'node:fs/promises'
import { ToolError } from './tool-error.ts'

/** Copies a file, as long as it is now, to the end of another one. */
export async function copyInto(source: string, target: FileHandle): Promise<void> {
  const input = await open(source, 'r')
  try {
    const { size } = await input.stat()
    const chunk = Buffer.allocUnsafe(1024 * 1024)
    for (let position = 0; position < size; ) {
      const { bytesRead } = await input.read(chunk, 0, Math.min(chunk.length, size - position), position)
      if (bytesRead === 0) throw new ToolError('refused', `${source} became shorter while it was copied`)
      await target.writeFile(chunk.subarray(0, bytesRead))
      position += bytesRead
    }
  } finally {
    await input.close()
  }
}

/** The bytes from `from` up to `to` of a file, for pieces that fit in memory. */
export async function readRange(path: string, from: number, to: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const bytes = Buffer.alloc(to - from)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
