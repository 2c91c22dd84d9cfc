/** Which folder may import what. Data flows one way, and the world is touched at the two ends only. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url))

interface Row {
  readonly folder: string
  /** Folders of `src` that may be imported. */
  readonly folders: readonly string[]
  readonly node: boolean
  readonly why: string
}

const TABLE: readonly Row[] = [
  { folder: 'core', folders: ['core'], node: false, why: 'pure: a log means the same wherever it came from' },
  {
    folder: 'storage',
    folders: ['core', 'storage'],
    node: true,
    why: 'bytes and rows, without an opinion on logs',
  },
  {
    folder: 'load',
    folders: ['core', 'storage', 'load'],
    node: true,
    why: 'joins stored records and the core; what is printed is not its business',
  },
  {
    folder: 'report',
    folders: ['core', 'report'],
    node: false,
    why: 'a saved report renders without the log',
  },
  {
    folder: 'log',
    folders: ['core', 'storage', 'load', 'report', 'log'],
    node: true,
    why: 'what can be asked of a log, by commands and by library users alike',
  },
  {
    folder: 'commands',
    folders: ['core', 'storage', 'load', 'report', 'log', 'commands'],
    node: true,
    why: 'a command answers; how it was called and where the answer goes is the command line’s',
  },
  {
    folder: 'cli',
    folders: ['core', 'storage', 'load', 'report', 'log', 'commands', 'cli'],
    node: true,
    why: 'the outermost ring',
  },
]

/**
 * The order of the sub-folders in a room, lowest first: files import from their own sub-folder, from those before it, and
 * from files of the room itself where `.` is before it. Deeper folders count as part of theirs.
 */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  core: [
    'json',
    'event-types',
    'findings',
    'dialect',
    'event',
    'surface',
    'session',
    'replay',
    'checks',
    'repair',
    'compatibility',
    'upgrade',
    'anonymize',
    'redact',
    'projections',
    'diff',
    'search',
  ],
  storage: ['packed-rows', '.', 'zstd', 'jsonl', 'sqlite', 'growing', 'rewrite'],
  load: [
    'reading',
    'sessions',
    'inputs',
    'outputs',
    'sizes',
    'repair',
    'diff',
    'search',
    'anonymize',
    'redact',
    'minimize',
  ],
  report: ['schemas', '.', 'views', 'renderers'],
  log: ['.'],
  commands: ['definition', 'many-logs', 'diff', 'repair', '.', 'completion', 'mcp'],
  cli: ['.'],
}

/** Files that nothing in `src` imports, and what runs them. */
const ENTRIES: Readonly<Record<string, string>> = {
  'index.ts': 'the library face',
  'cli/main.ts': 'bin/resurface.js',
  'cli/log-worker.ts': 'a thread that cli/log-threads.ts starts by name',
  'cli/man-page.ts': 'npm run docs',
  'report/rules-page.ts': 'npm run docs',
  'report/upgrade-page.ts': 'npm run docs',
}

interface PackageRow {
  readonly packages: readonly string[]
  readonly folder: string
  readonly why: string
}

const PACKAGES: readonly PackageRow[] = [
  { packages: ['commander'], folder: 'cli/', why: 'nobody else knows that there are options' },
  {
    packages: ['chalk', 'cli-table3', 'string-width'],
    folder: 'report/',
    why: 'how text looks is decided once',
  },
  { packages: ['fzstd', 'xxhash-wasm'], folder: 'storage/', why: 'containers end where records begin' },
  {
    packages: ['better-sqlite3'],
    folder: 'storage/sqlite/',
    why: 'native, optional and slow to load: work on JSONL must run without it',
  },
  { packages: ['@modelcontextprotocol/sdk'], folder: 'commands/mcp/', why: 'optional, and slow to load' },
  {
    packages: ['@secretlint/secretlint-rule-preset-recommend'],
    folder: 'load/redact/',
    why: 'optional, and needed only where secrets are looked for',
  },
]

interface Import {
  readonly file: string
  readonly specifier: string
  /** A type that leaves no trace in the built file. */
  readonly typeOnly: boolean
  /** Loaded when it is needed, not when the file is. */
  readonly lazy: boolean
}

const STATIC = /^(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm
const DYNAMIC = /\bimport\(\s*'([^']+)'\s*\)/g

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts'))

const imports: readonly Import[] = files.flatMap((file) => {
  const text = readFileSync(join(SOURCE, file), 'utf8')
  return [
    ...[...text.matchAll(STATIC)].map(([, type, specifier = '']) => ({
      file,
      specifier,
      typeOnly: type !== undefined,
      lazy: false,
    })),
    ...[...text.matchAll(DYNAMIC)].map(([, specifier = '']) => ({
      file,
      specifier,
      typeOnly: false,
      lazy: true,
    })),
  ]
})

const isRelative = ({ specifier }: Import): boolean => specifier.startsWith('.')
const isNode = ({ specifier }: Import): boolean => specifier.startsWith('node:')
const targetOf = ({ file, specifier }: Import): string =>
  posix.normalize(posix.join(dirname(file), specifier))
const shown = ({ file, specifier }: Import): string => `${file} imports ${specifier}`

test('the scan sees the source', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(imports.some(({ typeOnly }) => typeOnly)).toBe(true)
  expect(imports.some(({ lazy }) => lazy)).toBe(true)
})

test('every folder has a row', () => {
  const folders = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]))
  expect([...folders].toSorted()).toEqual(TABLE.map(({ folder }) => folder).toSorted())
})

describe.each(TABLE)('$folder: $why', ({ folder, folders, node }) => {
  const own = imports.filter(({ file }) => file.startsWith(`${folder}/`))

  test(`imports from ${folders.join(', ')} only`, () => {
    const astray = own
      .filter(isRelative)
      .filter((one) => !folders.includes(targetOf(one).split('/')[0] as string))
    expect(astray.map(shown)).toEqual([])
  })

  if (!node) {
    test('has no Node in it', () => {
      expect(own.filter(isNode).map(shown)).toEqual([])
      const globals = /\b(?:process|Buffer|setTimeout|setImmediate)\b(?!['’])/
      const touching = files
        .filter((file) => file.startsWith(`${folder}/`))
        .filter((file) => globals.test(withoutComments(readFileSync(join(SOURCE, file), 'utf8'))))
      expect(touching).toEqual([])
    })
  }
})

/** Sub-folder of a room, or `.` for a file of the room itself. */
function subfolderOf(file: string): string {
  const [, sub = '.', ...rest] = file.split('/')
  return rest.length === 0 ? '.' : sub
}

const roomOf = (file: string): string => file.split('/')[0] as string

describe.each(Object.entries(ORDERS))('inside %s', (room, order) => {
  const own = files.filter((file) => file.startsWith(`${room}/`))

  test('every sub-folder has its place in the order', () => {
    expect([...new Set(own.map(subfolderOf))].toSorted()).toEqual(order.toSorted())
  })

  test(`imports go one way: ${order.join(' ← ')}`, () => {
    const astray = imports
      .filter((one) => isRelative(one) && !one.lazy)
      .filter((one) => roomOf(one.file) === room && roomOf(targetOf(one)) === room)
      .filter(({ file, ...rest }) => {
        const [from, to] = [file, targetOf({ file, ...rest })].map((each) => order.indexOf(subfolderOf(each)))
        return (to as number) > (from as number)
      })
      .map((one) => `${one.file} imports ${room}/${subfolderOf(targetOf(one))}`)
    expect([...new Set(astray)]).toEqual([])
  })
})

test('no circle of files, not even of types: what is loaded when it is needed may know who loads it', () => {
  const targets = new Map<string, string[]>(files.map((file) => [file, []]))
  for (const one of imports) if (isRelative(one) && !one.lazy) targets.get(one.file)?.push(targetOf(one))
  expect(circlesIn(targets)).toEqual([])
})

test('every file is imported, or run by something that is named here', () => {
  const imported = new Set(imports.filter(isRelative).map(targetOf))
  expect(files.filter((file) => !imported.has(file)).toSorted()).toEqual(Object.keys(ENTRIES).toSorted())
})

test('every relative import names a file', () => {
  const known = new Set(files)
  expect(imports.filter((one) => isRelative(one) && !known.has(targetOf(one))).map(shown)).toEqual([])
})

/** Groups of files that reach each other, by the algorithm of Tarjan. */
function circlesIn(targets: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const numbers = new Map<string, number>()
  const open: string[] = []
  const circles: string[] = []
  const visit = (file: string): number => {
    const number = numbers.size
    numbers.set(file, number)
    let low = number
    open.push(file)
    for (const target of targets.get(file) ?? []) {
      if (!numbers.has(target)) low = Math.min(low, visit(target))
      else if (open.includes(target)) low = Math.min(low, numbers.get(target) as number)
    }
    if (low < number) return low
    const circle = open.splice(open.indexOf(file))
    if (circle.length > 1) circles.push(circle.toSorted().join(', '))
    return low
  }
  for (const file of targets.keys()) if (!numbers.has(file)) visit(file)
  return circles.toSorted()
}

test('the search for circles finds them', () => {
  const targets = { a: ['b'], b: ['c'], c: ['b', 'd'], d: [], e: ['a', 'f'], f: ['e'] }
  expect(circlesIn(new Map(Object.entries(targets)))).toEqual(['b, c', 'e, f'])
})

describe.each(PACKAGES)('$packages only in $folder: $why', ({ packages, folder }) => {
  test('holds', () => {
    const astray = imports.filter(({ file, specifier }) => {
      const named = packages.some((name) => specifier === name || specifier.startsWith(`${name}/`))
      return named && !file.startsWith(folder)
    })
    expect(astray.map(shown)).toEqual([])
  })
})

test('every package that is imported has a row, and every Node module its prefix', () => {
  const known = new Set(PACKAGES.flatMap(({ packages }) => packages))
  const packageOf = ({ specifier }: Import): string =>
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/')
  const strange = imports.filter((one) => !isRelative(one) && !isNode(one) && !known.has(packageOf(one)))
  expect(strange.map(shown)).toEqual([])
})

test('optional packages are loaded when they are needed, not before', () => {
  const eager = imports.filter(
    ({ specifier, typeOnly, lazy }) =>
      /^(?:better-sqlite3|@modelcontextprotocol\/sdk|@secretlint\/.*)\b/.test(specifier) &&
      !typeOnly &&
      !lazy,
  )
  expect(eager.map(shown)).toEqual([])
})

test('the library face is made of what is below the commands', () => {
  const face = imports.filter(({ file }) => file === 'index.ts')
  const astray = face.filter((one) => /^(?:commands|cli)\//.test(targetOf(one)))
  expect(astray.map(shown)).toEqual([])
})

describe('the map, src/README.md', () => {
  const map = readFileSync(join(SOURCE, 'README.md'), 'utf8')

  test('has a row for every room, and for every folder of the core', () => {
    const rows = [...map.matchAll(/^\| `([^`]+)`/gm)].map(([, folder]) => folder)
    const folders = (ORDERS.core ?? []).map((folder) => `core/${folder}`)
    for (const folder of [...folders, ...TABLE.map((row) => row.folder).filter((name) => name !== 'core')])
      expect(rows).toContain(folder)
  })

  test('names files that are there', () => {
    const known = new Set(files)
    const named = [...map.matchAll(/`((?:core|storage|load|report|log|commands|cli)\/[\w/-]+\.ts)`/g)]
    expect(named.length).toBeGreaterThan(10)
    expect(named.map(([, file]) => file as string).filter((file) => !known.has(file))).toEqual([])
  })
})

function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/'[^'\n]*'|`[^`]*`/g, '')
}
