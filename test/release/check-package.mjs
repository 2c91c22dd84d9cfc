/**
 * Judges a packed tarball as publint and Are the types wrong? do: node test/release/check-package.mjs TARBALL
 * Prints every problem, and exits with 1 when there is one.
 */
import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** Only ES modules are published; every supported Node takes them with `require`, too. */
const INTENDED = new Set(['CJSResolvesToESM'])

const [tarball] = process.argv.slice(2)
const bytes = readFileSync(tarball)
const content = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)

const { messages, pkg } = await publint({ pack: { tarball: content }, level: 'suggestion', strict: true })
const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(content)))
if (analysis.types === false) throw new Error('the package has no types')

const problems = [
  ...messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`),
  ...analysis.problems
    .filter(({ kind }) => !INTENDED.has(kind))
    .map((problem) => `types: ${JSON.stringify(problem)}`),
]
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1
