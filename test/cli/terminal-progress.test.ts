/** When the line of progress is shown, what it counts over several logs, and that it is gone before anything else. */
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Host } from '../../src/cli/host.ts'
import { TerminalProgress, terminalProgress } from '../../src/cli/terminal-progress.ts'
import { fileTree } from '../support/file-tree.ts'
import { runMain } from '../support/run-main.ts'
import { base } from '../support/sample-logs.ts'

const ERASE = '\r\x1b[K'

/** A terminal whose time the test moves. */
function screen(columns = 100) {
  const written: string[] = []
  const state = { time: 0, written }
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      done()
    },
  })
  const host = {
    stderr: Object.assign(stderr, { isTTY: true, columns }),
    now: () => state.time,
    env: { TERM: 'xterm' },
    atExit: (_run: () => void) => {},
  }
  const at = (time: number): void => {
    state.time = time
  }
  return { ...host, at, written }
}

const nothingOnDisk = (): number => 0

describe('one log', () => {
  test('nothing for a second, then ten lines a second at most, each in place of the last', () => {
    const terminal = screen()
    const progress = new TerminalProgress(terminal, nothingOnDisk)
    progress.begin({ name: 'a.jsonl', unit: 'bytes', total: 40e6 })
    for (const [time, done] of [
      [500, 5e6],
      [999, 10e6],
    ] as const) {
      terminal.at(time)
      progress.reach(done)
    }
    expect(terminal.written).toEqual([])
    for (const [time, done] of [
      [1000, 10e6],
      [1099, 11e6],
      [2000, 20e6],
    ] as const) {
      terminal.at(time)
      progress.reach(done)
    }
    expect(terminal.written).toEqual([
      `${ERASE}reading  10.0 of 40.0 MB  10.0 MB/s  0:03 left  a.jsonl`,
      `${ERASE}reading  20.0 of 40.0 MB  10.0 MB/s  0:02 left  a.jsonl`,
    ])
    progress.clear()
    progress.clear()
    expect(terminal.written.slice(2)).toEqual([ERASE])
  })

  test('a second reading counts from its own beginning', () => {
    const terminal = screen()
    const progress = new TerminalProgress(terminal, nothingOnDisk)
    progress.begin({ name: '-', unit: 'bytes' })
    terminal.at(2000)
    progress.reach(4e6)
    progress.begin({ name: '-', unit: 'bytes', total: 4e6 })
    terminal.at(3000)
    progress.reach(2e6)
    expect(terminal.written).toEqual([
      `${ERASE}reading  4.0 MB  2.0 MB/s  standard input`,
      `${ERASE}reading  2.0 of 4.0 MB  2.0 MB/s  0:01 left  standard input`,
    ])
  })

  test('a terminal that does not know its width', () => {
    const terminal = screen(0)
    const progress = new TerminalProgress(terminal, nothingOnDisk)
    terminal.at(1000)
    progress.begin({ name: 'x'.repeat(300), unit: 'bytes', total: 1 })
    expect(terminal.written.join('').length - ERASE.length).toBe(79)
  })
})

describe('several logs', () => {
  const sizes: Readonly<Record<string, number>> = { a: 10e6, b: 20e6, c: 30e6 }

  test('bytes and time left are those of all, and a compressed log counts as it is stored', () => {
    const terminal = screen()
    const progress = new TerminalProgress(terminal, (path) => sizes[path] ?? 0)
    progress.expect(['a', 'b', 'c'])
    progress.next('a')
    terminal.at(1000)
    progress.next('b')
    progress.begin({ name: 'b', unit: 'bytes', total: 200e6 })
    terminal.at(2000)
    progress.reach(100e6)
    expect(terminal.written).toEqual([
      `${ERASE}reading  log 2 of 3  10.0 of 60.0 MB  10.0 MB/s  0:05 left  b`,
      `${ERASE}reading  log 2 of 3  20.0 of 60.0 MB  10.0 MB/s  0:04 left  b`,
    ])
  })

  test('logs that another thread reads are counted when it is done with them', () => {
    const terminal = screen()
    const progress = new TerminalProgress(terminal, (path) => sizes[path] ?? 0)
    progress.expect(['a', 'b', 'c'])
    progress.next('a')
    progress.passed('c')
    terminal.at(2000)
    progress.begin({ name: 'a', unit: 'bytes', total: 10e6 })
    progress.reach(5e6)
    expect(terminal.written).toEqual([
      `${ERASE}reading  log 2 of 3  30.0 of 60.0 MB  15.0 MB/s  0:02 left  a`,
    ])
  })

  test('the sessions of a database are counted, and each once', () => {
    const terminal = screen()
    const progress = new TerminalProgress(terminal, nothingOnDisk)
    progress.expect(['store.db'])
    progress.next('store.db')
    progress.holds(2)
    terminal.at(1000)
    for (const name of ['store.db#a', 'store.db#b', 'store.db#b']) progress.begin({ name, unit: 'rows' })
    terminal.at(2000)
    progress.reach(500)
    expect(terminal.written).toEqual([
      `${ERASE}reading  log 1 of 2  0 rows  store.db#a`,
      `${ERASE}reading  log 2 of 2  500 rows  store.db#b`,
    ])
  })
})

describe('where nobody looks, there is none', () => {
  test.each<[what: string, quiet: boolean, changes: Partial<Pick<Host, 'env' | 'stderr'>>]>([
    ['with --quiet', true, {}],
    ['in a pipe', false, { stderr: new Writable() }],
    ['on a terminal that cannot rewrite a line', false, { env: { TERM: 'dumb' } }],
    ['in a build', false, { env: { CI: 'true' } }],
  ])('%s', (_what, quiet, changes) => {
    expect(terminalProgress({ ...screen(), ...changes }, quiet)).toBeUndefined()
  })

  test.each([{}, { CI: '' }, { CI: 'false' }])('but there is one with %j', (env) => {
    expect(terminalProgress({ ...screen(), env }, false)).toBeDefined()
  })

  test('a run that is interrupted takes the line away', () => {
    const terminal = screen()
    const atExit: (() => void)[] = []
    const host = { ...terminal, atExit: (run: () => void) => void atExit.push(run) }
    const progress = terminalProgress(host, false)
    terminal.at(1000)
    progress?.begin({ name: 'a', unit: 'bytes' })
    for (const run of atExit) run()
    expect(terminal.written.at(-1)).toBe(ERASE)
  })
})

describe('the whole command line', () => {
  const folder = (): string =>
    fileTree({ 'a.jsonl': base(), 'b.jsonl': base().drop(5), 'c.jsonl': 'dear diary\n' })

  test.each(['check', 'info', 'ls'])('%s of a folder: the line is gone at the end', async (command) => {
    const { stderr, stdout } = await runMain([command, folder()], { watching: 80 })
    expect(stderr).toContain('reading  log 2 of 3')
    const after = stderr.slice(stderr.lastIndexOf(ERASE))
    expect(after).not.toContain('reading')
    expect(stdout).not.toContain(ERASE)
  })

  test.each(['surface', 'transcript', 'repair'])('%s of one log too', async (command) => {
    const log = fileTree({ 'a.jsonl': base() })
    const { stderr } = await runMain([command, `${log}/a.jsonl`], { watching: 80 })
    expect(stderr).toContain('reading')
    expect(stderr.endsWith(ERASE)).toBe(true)
  })

  test('a run that ends early has no line above its words', async () => {
    const path = `${folder()}/none.jsonl`
    const missing = await runMain(['check', folder(), path], { watching: 80 })
    expect(missing.stderr.slice(missing.stderr.lastIndexOf(ERASE))).toMatch(/^\r\x1b\[Kresurface: .*none/)
  })

  test('the answer is the same with and without it', async () => {
    const logs = folder()
    const plain = await runMain(['check', logs])
    const watched = await runMain(['check', logs], { watching: 80 })
    expect([watched.stdout, watched.exitCode]).toEqual([plain.stdout, plain.exitCode])
    const quiet = await runMain(['check', logs, '--quiet'], { watching: 80 })
    expect(quiet.stderr).not.toContain(ERASE)
  })
})
