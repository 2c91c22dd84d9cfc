/**
 * Writes a file in pieces, with a pause after each: `slow-writer.mjs SOURCE TARGET SIZE…`. The sizes are taken in turn
 * until everything is written.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const [source, target, ...sizes] = process.argv.slice(2)
const bytes = readFileSync(source)
const file = openSync(target, 'a')
for (let at = 0, piece = 0; at < bytes.length; piece++) {
  const size = Number(sizes[piece % sizes.length])
  writeSync(file, bytes, at, Math.min(size, bytes.length - at))
  at += size
  await pause(3)
}
closeSync(file)
