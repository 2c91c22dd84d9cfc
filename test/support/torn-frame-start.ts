/** Where the whole frames of a file end, for a repair that copies them byte for byte. */
import { FileWindow } from '../../src/storage/zstd/file-window.ts'
import { FrameScanner } from '../../src/storage/zstd/frame-scanner.ts'

/** Offset of the first byte of the torn last frame; the length of the file when no frame is torn. */
export async function tornFrameStart(path: string): Promise<number> {
  const file = await FileWindow.open(path)
  try {
    const scanner = new FrameScanner(file)
    for (let span = await scanner.next(); span !== undefined; span = await scanner.next()) {
      if (span.kind === 'torn') return span.offset
    }
    return file.length
  } finally {
    await file.close()
  }
}
