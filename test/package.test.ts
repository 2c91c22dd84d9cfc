/** What `npm pack` puts into the package: all that its documents link to, and nothing that nobody names. */
import { readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { execa } from 'execa'
import { beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Files that no document names, and who looks for them. */
const UNNAMED: Readonly<Record<string, string>> = {
  'package.json': 'npm',
  'README.md': 'npm',
  'bin/resurface.js': 'package.json',
  'docs/resurface.1': 'package.json',
  'docs/rule-examples.json': 'explain --example',
}

let packed: ReadonlySet<string> = new Set()

beforeAll(async () => {
  const { stdout } = await execa('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root })
  const [{ files }] = JSON.parse(stdout) as [{ files: readonly { path: string }[] }]
  packed = new Set(files.map(({ path }) => path))
})

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const documents = (): readonly string[] => [...packed].filter((path) => path.endsWith('.md'))

/** `](path#anchor)` in a document, as a path in the package. */
function linksIn(
  document: string,
): readonly { readonly path: string; readonly anchor: string | undefined }[] {
  const links = read(document).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)
  return [...links].map(([, path = '', anchor]) => ({
    path: path === '' ? document : posix.join(posix.dirname(document), path),
    anchor,
  }))
}

/** The anchors that a page of Markdown has: its headings, as GitHub makes them. */
function anchorsIn(document: string): readonly string[] {
  return [...read(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('every link of a document leads to a file of the package, and to a heading in it', () => {
  const broken = documents().flatMap((document) =>
    linksIn(document)
      .filter(
        ({ path, anchor }) =>
          !packed.has(path) || (anchor !== undefined && !anchorsIn(path).includes(anchor)),
      )
      .map(({ path, anchor }) => `${document} links to ${path}${anchor === undefined ? '' : `#${anchor}`}`),
  )
  expect(broken).toEqual([])
  expect(documents().flatMap(linksIn).length).toBeGreaterThan(30)
})

test('every file that is no code is named in a document', () => {
  const texts = documents().map((document) => ({ document, text: read(document) }))
  const isNamed = (path: string): boolean =>
    texts.some(({ document, text }) => document !== path && text.includes(basename(path)))
  const files = [...packed].filter((path) => !path.startsWith('dist/'))
  expect(files.filter((path) => !isNamed(path) && UNNAMED[path] === undefined)).toEqual([])
  for (const path of Object.keys(UNNAMED)) expect(files).toContain(path)
})

test('the code is what the build makes', () => {
  const dist = [...packed].filter((path) => path.startsWith('dist/'))
  for (const path of ['dist/index.js', 'dist/cli/main.js', 'dist/cli/log-worker.js'])
    expect(dist).toContain(path)
  expect(dist.filter((path) => !/\.(?:js|d\.ts)$/.test(path))).toEqual([])
})
