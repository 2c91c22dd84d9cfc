/**
 * The programs in the documents: each is compiled against the library face as a user compiles it, and run with the built
 * package. What a program prints must be what the block after it shows; RESURFACE_UPDATE=1 writes that.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dirname, '../..')
const DOCUMENTS = ['README.md', 'README.zh-CN.md', 'docs/library.md']

/** A program, and the block of what it prints, where there is one. */
const PROGRAM = /```ts\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  noUnusedLocals: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
  paths: { resurface: [join(ROOT, 'src/index.ts')] },
}

const programs = DOCUMENTS.flatMap((document) => {
  const text = readFileSync(join(ROOT, document), 'utf8')
  return [...text.matchAll(PROGRAM)].map(([, source = '', shown], index) => ({
    name: `${document}, ${index + 1}`,
    source,
    shown,
  }))
})

test('every document has a program', () => {
  for (const document of DOCUMENTS)
    expect(programs.filter(({ name }) => name.startsWith(document)).length).toBeGreaterThan(0)
})

test('they compile', () => {
  const folder = tempDir()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const files = programs.map(({ source }, index) => {
    const file = join(folder, `program-${index}.ts`)
    writeFileSync(file, source)
    return file
  })
  const program = ts.createProgram(files, OPTIONS)
  // The source of the package itself is checked elsewhere.
  const problems = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
})

/** Runs a program in a folder that has the examples, with the package installed. */
async function printed(source: string): Promise<string> {
  const folder = tempDir()
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/resurface'))
  const compilerOptions = { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 }
  const { outputText } = ts.transpileModule(source, { compilerOptions })
  writeFileSync(join(folder, 'program.mjs'), outputText)
  const { all } = await execa(process.execPath, ['program.mjs'], { cwd: folder, all: true })
  return `${all}\n`
}

describe('they print what is shown', () => {
  test.each(DOCUMENTS)('%s', async (name) => {
    const path = join(ROOT, name)
    const document = readFileSync(path, 'utf8')
    let actual = document
    for (const [block, source = '', shown] of document.matchAll(PROGRAM)) {
      const output = await printed(source)
      if (shown !== undefined)
        actual = actual.replace(block, () => `\`\`\`ts\n${source}\`\`\`\n\n\`\`\`text\n${output}\`\`\``)
    }
    if (process.env.RESURFACE_UPDATE === '1') writeFileSync(path, actual)
    else expect(document).toBe(actual)
  })
})
