/** What anybody would write first: every line, or every line of every zstd frame, through JSON.parse; of a folder, its files. */
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as zlib from 'node:zlib'

const [, , path] = process.argv
const paths = statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path]
let rows = 0
for (const file of paths) {
  const raw = createReadStream(file, { highWaterMark: 1 << 20 })
  const stream = file.endsWith('.zstd') ? raw.pipe(zlib.createZstdDecompress()) : raw
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      JSON.parse(line)
      rows++
    }
  }
}
console.log(rows)
