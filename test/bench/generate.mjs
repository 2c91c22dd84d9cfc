/**
 * Writes a log for measuring, the same for the same arguments.
 *
 *   node test/bench/generate.mjs conversation EVENTS FILE [deltas in a step]
 *   node test/bench/generate.mjs answers-0|answers-2|answers-3|answers-4 TURNS FILE [pieces of an answer] [words of a result]
 *   node test/bench/generate.mjs last-replaced|spread-replaced|faulty COUNT FILE
 *   node test/bench/generate.mjs frames COUNT FILE      (a Node with zstd)
 *   node test/bench/generate.mjs store SESSIONS FOLDER
 *   node test/bench/generate.mjs folder-3|folder-4 SESSIONS FOLDER TURNS
 */
import { once } from 'node:events'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answers } from './answers.mjs'
import { conversation } from './conversation.mjs'
import { faulty, idOf, lastReplaced, session, small, spreadReplaced } from './shapes.mjs'

const [, , shape, count, path, ...sizes] = process.argv
const answersOf = (version) => () => answers(version, Number(count), ...sizes.map(Number))
const LINES = {
  'answers-0': answersOf(0),
  'answers-2': answersOf(2),
  'answers-3': answersOf(3),
  'answers-4': answersOf(4),
  conversation: () => conversation(Number(count), ...sizes.map(Number)),
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
} else if (shape.startsWith('folder-')) {
  const [turns] = sizes.map(Number)
  mkdirSync(path, { recursive: true })
  for (let number = 0; number < Number(count); number++) {
    const id = idOf(number)
    const lines = answers(Number(shape.at(-1)), turns, undefined, undefined, id)
    await written(lines, (batch) => batch, join(path, `${id}.jsonl`))
  }
} else await written(LINES[shape](), shape === 'frames' ? await framed() : (lines) => lines)

/** @param encode - the bytes of a batch of lines. */
async function written(lines, encode, to = path) {
  const output = createWriteStream(to)
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
