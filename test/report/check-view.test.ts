/** What `check` says of a log in DSH: one line, decided by what the readers of DSH do with it. */
import { expect, test } from 'vitest'
import { reportIn } from '../support/report-in.ts'
import { runMain } from '../support/run-main.ts'
import { base, crashed, twoTurns } from '../support/sample-logs.ts'
import { tempFile } from '../support/temp-dir.ts'

const torn = (text: string): string => `${text}{"type":"turn/sta`

const sameIds = (): string =>
  twoTurns()
    .edit(10, (row) => ({ ...row, data: { ...(row.data as object), id: 'u1' } }))
    .text()

const withoutMarker = (): string =>
  base()
    .edit(1, ({ surfaceOp: _none, ...row }) => row)
    .text()

/** A line of an open turn is garbage, and one is after it. */
function garbled(): string {
  const lines = crashed().text().split('\n')
  lines.splice(-3, 1, 'garbage')
  return lines.join('\n')
}

test.each([
  { name: 'a message id twice', text: sameIds(), says: 'yes' },
  { name: 'a torn tail', text: torn(base().text()), says: 'yes (DSH repairs it on resume)' },
  { name: 'both', text: torn(sameIds()), says: 'yes (DSH repairs some of it on resume)' },
  { name: 'an open turn', text: crashed().text(), says: 'yes (DSH repairs it on resume)' },
  { name: 'an event after garbage', text: garbled(), says: 'yes, but a resume drops valid events' },
  { name: 'a message without a marker', text: withoutMarker(), says: 'no: DSH refuses this log' },
])('$name: $says', async ({ text, says }) => {
  const { stdout } = await runMain(['check', tempFile(text)])
  expect(/opens in DSH\s+(.*)/.exec(stdout)?.[1]).toBe(says)
})

test('the text around the damage is shown, escaped, with the place', async () => {
  const lines = base().text().split('\n')
  lines[4] = `{"type":"x","a":"\u202eevil",\u0000\u0000garbage}`
  const path = tempFile(lines.join('\n'))
  const { stdout } = await runMain(['check', path])
  expect(stdout).toContain(String.raw`{"type":"x","a":"\u202eevil", <-- HERE \x00\x00garbage}`)
  const findings: { code: string }[] = reportIn((await runMain(['check', path, '--json'])).stdout).findings
  expect(findings.find(({ code }) => code === 'bytes/bad-line')).toMatchObject({
    excerpt: { text: lines[4], at: 24 },
  })
  const { stdout: line } = await runMain(['check', path, '--format', 'line'])
  expect(line).not.toContain('garbage')
})

test('of a file that is no log nothing is said to be ok', async () => {
  const path = tempFile('dear diary\n')
  const { stdout } = await runMain(['check', path])
  expect(stdout).not.toMatch(/\bok\b/)
  const { data } = reportIn((await runMain(['check', path, '--json'])).stdout)
  expect(data.layers).toEqual({
    bytes: 'error',
    order: 'unchecked',
    meaning: 'unchecked',
    compatibility: 'unchecked',
  })
})

test('of many logs: a line for each finding, each rule once, and the totals', async () => {
  const paths = [torn(base().text()), torn(crashed().text()), base().text()].map((text) => tempFile(text))
  const { stdout } = await runMain(['check', ...paths])
  expect(stdout.match(/\[bytes\/torn-tail\]$/gm)).toHaveLength(2)
  expect(stdout.match(/^warning bytes\/torn-tail: .* in 2 logs\)$/gm)).toHaveLength(1)
  expect(stdout.match(/^ {2}why: /gm)?.length).toBe(stdout.match(/^ {2}fix: /gm)?.length)
  expect(stdout).toMatch(/^3 logs checked: /m)
})

test('a command to paste is on one line where it fits', async () => {
  const path = tempFile(torn(base().text()))
  const { stdout } = await runMain(['check', path], { terminal: 60 + path.length })
  expect(stdout.match(/"resurface repair [^"\n]*"/g)).not.toBeNull()
  expect(stdout).not.toMatch(/"resurface [^"]*\n/)
})
