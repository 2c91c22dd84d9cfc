/**
 * The commands in the documents are run, and what they print must be what is shown below each.
 * RESURFACE_UPDATE=1 writes the present output into the documents instead.
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
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
const BLOCK = /```console\n([\s\S]*?)```/g

async function withOutputs(document: string): Promise<string> {
  // What the commands write is no part of the project.
  const cwd = tempDir()
  cpSync(join(root, 'examples'), join(cwd, 'examples'), { recursive: true })
  let result = ''
  let from = 0
  for (const match of document.matchAll(BLOCK)) {
    const commands = (match[1] as string).split('\n').filter((line) => line.startsWith('$ '))
    const printed: string[] = []
    for (const command of commands) {
      const args = command.replace('$ resurface ', '').split(' ')
      const bin = join(root, 'bin/resurface.js')
      const { all } = await execa(process.execPath, [bin, ...args], { cwd, all: true, reject: false })
      printed.push(`${command}\n${all === '' ? '' : `${all}\n`}`)
    }
    result += `${document.slice(from, match.index)}\`\`\`console\n${printed.join('')}\`\`\``
    from = match.index + match[0].length
  }
  return result + document.slice(from)
}

test.each(DOCUMENTS)('%s shows what its commands print', async (name) => {
  const path = join(root, name)
  const document = readFileSync(path, 'utf8')
  const actual = await withOutputs(document)
  if (process.env.RESURFACE_UPDATE === '1') writeFileSync(path, actual)
  else expect(document).toBe(actual)
})
