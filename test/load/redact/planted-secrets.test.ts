/**
 * A made secret of every kind in every place of a log: what is found and what is not, which `docs/redact.md` shows as a
 * table. RESURFACE_UPDATE=1 writes the table.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { redactedLog } from '../../../src/load/redact/redacted-source.ts'
import { loadTokenRules } from '../../../src/load/redact/token-rules.ts'
import { MADE_SECRETS, type MadeSecret, NOT_FOUND } from '../../support/made-secrets.ts'
import { memorySource } from '../../support/memory-source.ts'
import { PLACES } from '../../support/planted.ts'

const DOCUMENT = join(import.meta.dirname, '../../../docs/redact.md')
const TABLE = /(<!-- what is found -->\n)[\s\S]*?(<!-- end -->)/

/** Whether nothing of a secret that is long enough to say something is left, put together from pieces or not. */
function isGone({ secret }: MadeSecret, copy: string): boolean {
  const whole = copy.replace(/","|"[}\]]*\n.*?"(?:text|argumentsDelta)":"/g, '')
  const parts = secret.split('\n').filter((line) => line.length >= 6)
  return [copy, whole]
    .flatMap((text) => [text, text.replace(/\\+/g, '\\')])
    .every((text) => parts.every((part) => !text.includes(part)))
}

const rules = await loadTokenRules()

async function isFound(made: MadeSecret, place: (text: string) => Buffer): Promise<boolean> {
  const log = place(made.text)
  expect(isGone(made, log.toString())).toBe(false)
  const { source } = await redactedLog(memorySource(log), { rules, named: [] })
  const lines: string[] = []
  for await (const batch of source.items())
    for (const item of batch)
      if (item.kind === 'record' && item.content.kind === 'bytes') lines.push(String(item.content.bytes))
  const copy = lines.join('\n')
  if (!isGone(made, copy)) return false
  expect(copy).toContain(`[redacted:${made.kind}:`)
  return true
}

async function tableOf(secrets: Readonly<Record<string, MadeSecret>>): Promise<string[]> {
  const rows: string[] = []
  for (const [name, made] of Object.entries(secrets)) {
    const missed: string[] = []
    for (const [place, plant] of Object.entries(PLACES)) if (!(await isFound(made, plant))) missed.push(place)
    const everywhere = missed.length === 0
    const nowhere = missed.length === Object.keys(PLACES).length
    const answer = everywhere ? 'everywhere' : nowhere ? '**nowhere**' : `not in: ${missed.join(', ')}`
    rows.push(`| ${name} | ${made.kind === '' ? '' : `\`${made.kind}\``} | ${answer} |`)
  }
  return rows
}

test('the table in the documents is what is found', async () => {
  const rows = [...(await tableOf(MADE_SECRETS)), ...(await tableOf(NOT_FOUND))]
  const table = ['| secret | mark | found |', '| --- | --- | --- |', ...rows].join('\n')
  const document = readFileSync(DOCUMENT, 'utf8')
  if (process.env.RESURFACE_UPDATE === '1') {
    writeFileSync(
      DOCUMENT,
      document.replace(TABLE, (_, begin, end) => `${begin}\n${table}\n\n${end}`),
    )
    return
  }
  const [shown = ''] = TABLE.exec(document) ?? []
  const cells = (text: string): string[][] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('|') && !/^\|[ -|]*$/.test(line.replaceAll('-', '')))
      .map((line) => line.split('|').map((cell) => cell.trim()))
  expect(cells(shown)).toEqual(cells(table))
})
