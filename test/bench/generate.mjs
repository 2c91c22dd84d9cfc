/**
 * Writes a log for measuring, the same for the same arguments.
 *
 *   node test/bench/generate.mjs conversation EVENTS FILE [deltas in a step]
 *   node test/bench/generate.mjs last-replaced|spread-replaced|faulty COUNT FILE
 *   node test/bench/generate.mjs frames COUNT FILE      (a Node with zstd)
 *   node test/bench/generate.mjs store SESSIONS FOLDER
 */
import { once } from 'node:events'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { conversation } from './conversation.mjs'
import { faulty, idOf, lastReplaced, session, small, spreadReplaced } from './shapes.mjs'

const [, , shape, count, path, deltas] = process.argv
const LINES = {
  conversation: () => conversation(Number(count), deltas && Number(deltas)),
  'last-replaced': () => lastReplaced(Number(count)),
  'spread-replaced': () => spreadReplaced(Number(count)),
  faulty: () => faulty(Number(count)),
  frames: () => small(Number(count)),
}

if (shape === 'store') {
  for (let number = 0; number < Number(count); number++) {
    const folder = join(path, '--w--', idOf(number))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'session.jsonl'), [...session(number), ''].join('\n'))
  }
} else await written(LINES[shape](), shape === 'frames' ? await framed() : (lines) => lines)

/** @param encode - the bytes of a batch of lines. */
async function written(lines, encode) {
  const output = createWriteStream(path)
  const longest = shape === 'frames' ? 1 : 1000
  let batch = []
  const flush = async () => {
    if (batch.length > 0 && !output.write(encode(`${batch.join('\n')}\n`))) await once(output, 'drain')
    batch = []
  }
  for (const line of lines) if (batch.push(line) === longest) await flush()
  await flush()
  output.end()
  await once(output, 'close')
}

async function framed() {
  const { zstdCompressSync } = await import('node:zlib')
  return (lines) => zstdCompressSync(lines)
}
