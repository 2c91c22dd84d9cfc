/** The built command line in a thread: one call after another, as the messages say. */
import { Readable, Writable } from 'node:stream'
import { parentPort } from 'node:worker_threads'
import { main } from '../../dist/cli/main.js'

class Collector extends Writable {
  chunks = []
  _write(chunk, _encoding, done) {
    this.chunks.push(chunk)
    done()
  }
  text() {
    return Buffer.concat(this.chunks).toString('utf8')
  }
}

parentPort.on('message', async ({ args, terminal }) => {
  const stdout = Object.assign(
    new Collector(),
    terminal === undefined ? {} : { isTTY: true, columns: terminal },
  )
  const stderr = new Collector()
  const host = {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: { NO_COLOR: '1' },
    cwd: '/',
    version: '0.0.0',
    now: () => 1_700_000_000_000,
    atExit: () => {},
  }
  try {
    const exitCode = await main(args, host)
    parentPort.postMessage({ exitCode, stdout: stdout.text(), stderr: stderr.text() })
  } catch (error) {
    parentPort.postMessage({ exitCode: 70, stdout: '', stderr: String(error?.stack ?? error) })
  }
})
