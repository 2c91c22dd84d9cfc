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
    folder: 'commands',
    folders: ['core', 'storage', 'load', 'report', 'commands'],
    node: true,
    why: 'a command answers; how it was called and where the answer goes is the command line’s',
  },
  {
    folder: 'cli',
    folders: ['core', 'storage', 'load', 'report', 'commands', 'cli'],
    node: true,
    why: 'the outermost ring',
  },
]

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
  const strange = imports.filter((one) => !isRelative(one) && !isNode(one) && !known.has(one.specifier))
  expect(strange.map(shown)).toEqual([])
})

test('the database driver is loaded when a database is opened, not before', () => {
  const eager = imports.filter(
    ({ specifier, typeOnly, lazy }) => specifier === 'better-sqlite3' && !typeOnly && !lazy,
  )
  expect(eager.map(shown)).toEqual([])
})

test('the library face is made of what is below the commands', () => {
  const face = imports.filter(({ file }) => file === 'index.ts')
  const astray = face.filter((one) => /^(?:commands|cli)\//.test(targetOf(one)))
  expect(astray.map(shown)).toEqual([])
})

function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/'[^'\n]*'|`[^`]*`/g, '')
}
