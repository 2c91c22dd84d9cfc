/**
 * Preloaded into a process with `--import`: numbers every change that it makes to files, and lets something happen at
 * one of them. FAULT_AT is its number from 1, FAULT what happens:
 *
 *   kill          SIGKILL before the change
 *   half          SIGKILL when half of the bytes are written
 *   fail:CODE     the system refuses the change
 *   append:PATH   somebody else appends a byte to PATH, then the change is made
 *   signal:NAME   the process gets a signal, then the change is made
 *
 * The changes are listed in the file FAULT_LOG with the file that they change, one a line, when the process ends by itself.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { promises } = fs
const { FAULT = '', FAULT_AT = '0', FAULT_LOG } = process.env
const [kind, argument] = FAULT.split(/:(.*)/s)
const seen = []
const pathOf = new WeakMap()

const handle = await promises.open(new URL(import.meta.url), 'r')
const FileHandle = Object.getPrototypeOf(handle)
await handle.close()

for (const name of [
  'rename',
  'rm',
  'unlink',
  'chmod',
  'chown',
  'copyFile',
  'link',
  'mkdtemp',
  'truncate',
  'utimes',
]) {
  patch(promises, name, () => true)
}
patch(promises, 'open', (_path, flags = 'r') => flags !== 'r')
for (const name of ['write', 'writeFile', 'sync', 'datasync', 'truncate']) patch(FileHandle, name, () => true)
syncBuiltinESMExports()

if (FAULT_LOG !== undefined) {
  process.on('exit', () => fs.writeFileSync(FAULT_LOG, seen.map((line) => `${line}\n`).join('')))
}

function patch(owner, name, changes) {
  const original = owner[name]
  owner[name] = async function (...args) {
    if (changes(...args)) {
      seen.push(JSON.stringify([name, pathOf.get(this) ?? changedBy(name, args)]))
      if (seen.length === Number(FAULT_AT)) {
        const isWrite = name === 'write' || name === 'writeFile'
        if (kind === 'half' && isWrite) {
          const bytes = Buffer.from(args[0])
          await original.call(this, bytes.subarray(0, bytes.length >> 1))
        }
        happen(name)
      }
    }
    const result = await original.apply(this, args)
    if (name === 'open') pathOf.set(result, args[0])
    return result
  }
}

/** The last path of a call; the mode of opening is none. */
function changedBy(name, args) {
  return args.slice(0, name === 'open' ? 1 : 2).findLast((arg) => typeof arg === 'string')
}

function happen(name) {
  if (kind === 'kill' || kind === 'half') {
    process.kill(process.pid, 'SIGKILL')
    // Nothing may be done until the signal arrives.
    for (;;);
  }
  if (kind === 'append') fs.appendFileSync(argument, 'x')
  if (kind === 'signal') process.kill(process.pid, argument)
  if (kind === 'fail')
    throw Object.assign(new Error(`${argument}: injected, ${name}`), { code: argument, syscall: name })
}
