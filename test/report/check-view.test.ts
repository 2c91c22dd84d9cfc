/** What `check` says of a log in DSH: one line, decided by what the readers of DSH do with it. */
import { expect, test } from 'vitest'
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

/** A line of an open turn is garbage, and one stands behind it. */
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
  { name: 'an event behind garbage', text: garbled(), says: 'yes, but a resume drops valid events' },
  { name: 'a message without a marker', text: withoutMarker(), says: 'no: DSH refuses this log' },
])('$name: $says', async ({ text, says }) => {
  const { stdout } = await runMain(['check', tempFile(text)])
  expect(/opens in DSH\s+(.*)/.exec(stdout)?.[1]).toBe(says)
})
