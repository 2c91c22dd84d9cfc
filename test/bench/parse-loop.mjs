/** What anybody would write first: every line, or every line of every zstd frame, through JSON.parse. */
import { createReadStream } from 'node:fs'
import * as zlib from 'node:zlib'

const [, , path] = process.argv
const raw = createReadStream(path, { highWaterMark: 1 << 20 })
const stream = path.endsWith('.zstd') ? raw.pipe(zlib.createZstdDecompress()) : raw
let rest = ''
let rows = 0
for await (const chunk of stream.setEncoding('utf8')) {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  for (const line of lines) {
    JSON.parse(line)
    rows++
  }
}
console.log(rows)
