/**
 * The commands and programs in the documents are run, and what they print must be what is shown below each. Programs are
 * compiled against the library face, too, as a user compiles them.
 * RESURFACE_UPDATE=1 writes the present output into the documents instead.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { tempDir } from './support/temp-dir.ts'

const root = join(import.meta.dirname, '..')
const DOCUMENTS = [
  'README.md',
  'README.zh-CN.md',
  'examples/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
/** Commands with what they print; or a program, and what it prints where that is shown. */
const BLOCK = /```console\n([\s\S]*?)```|```ts\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g

/** A folder that has the examples: what runs there writes nothing into the project. */
function withExamples(): string {
  const folder = tempDir()
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
  return folder
}

async function withOutputs(document: string): Promise<string> {
  const cwd = withExamples()
  let result = ''
  let from = 0
  for (const match of document.matchAll(BLOCK)) {
    const [whole, commands, program, shown] = match
    const actual =
      commands !== undefined
        ? await blockOfCommands(commands, cwd)
        : await blockOfProgram(program ?? '', shown)
    result += `${document.slice(from, match.index)}${actual}`
    from = match.index + whole.length
  }
  return result + document.slice(from)
}

async function blockOfCommands(block: string, cwd: string): Promise<string> {
  const commands = block.split('\n').filter((line) => line.startsWith('$ '))
  const printed: string[] = []
  for (const command of commands) {
    const args = command.replace('$ resurface ', '').split(' ')
    const bin = join(root, 'bin/resurface.js')
    const { all } = await execa(process.execPath, [bin, ...args], { cwd, all: true, reject: false })
    printed.push(`${command}\n${all === '' ? '' : `${all}\n`}`)
  }
  return `\`\`\`console\n${printed.join('')}\`\`\``
}

async function blockOfProgram(program: string, shown: string | undefined): Promise<string> {
  const cwd = withExamples()
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(root, join(cwd, 'node_modules/resurface'))
  const compilerOptions = { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 }
  writeFileSync(join(cwd, 'program.mjs'), ts.transpileModule(program, { compilerOptions }).outputText)
  const { all } = await execa(process.execPath, ['program.mjs'], { cwd, all: true })
  const block = `\`\`\`ts\n${program}\`\`\``
  return shown === undefined ? block : `${block}\n\n\`\`\`text\n${all}\n\`\`\``
}

test.each(DOCUMENTS)('%s shows what its commands and programs print', async (name) => {
  const path = join(root, name)
  const document = readFileSync(path, 'utf8')
  const actual = await withOutputs(document)
  if (process.env.RESURFACE_UPDATE === '1') writeFileSync(path, actual)
  else expect(document).toBe(actual)
})

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
  typeRoots: [join(root, 'node_modules/@types')],
  paths: { resurface: [join(root, 'src/index.ts')] },
}

test('the programs compile, and everything that they may use says what it is', () => {
  const folder = tempDir()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const programs = DOCUMENTS.flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(BLOCK)].flatMap(([, , program]) => program ?? []),
  )
  expect(programs.length).toBeGreaterThan(5)
  const files = programs.map((source, index) => {
    const file = join(folder, `program-${index}.ts`)
    writeFileSync(file, source)
    return file
  })
  const program = ts.createProgram(files, OPTIONS)
  // The source of the package itself is checked elsewhere.
  const problems = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
  expect(undocumented(program)).toEqual([])
})

/** What the face exports, and the methods of `Log`, as far as they have no comment. */
function undocumented(program: ts.Program): readonly string[] {
  const checker = program.getTypeChecker()
  const face = program.getSourceFile(join(root, 'src/index.ts'))
  const module = face && checker.getSymbolAtLocation(face)
  if (module === undefined) throw new Error('the programs do not import the face')
  const exported = checker.getExportsOfModule(module).map((symbol) => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
    return isAlias ? checker.getAliasedSymbol(symbol) : symbol
  })
  const log = exported.find(({ name }) => name === 'Log')
  const methods = [...(log?.members?.values() ?? [])].filter(
    ({ name, flags }) => (flags & ts.SymbolFlags.Method) !== 0 && !name.includes('#'),
  )
  expect(methods.length).toBeGreaterThan(5)
  return [...exported, ...methods]
    .filter((symbol) => symbol.getDocumentationComment(checker).length === 0)
    .map(({ name }) => name)
}
