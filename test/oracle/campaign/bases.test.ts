/** The rich logs themselves: the published readers open every one of them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeUnlessMissing } from '../../support/unless-missing.ts'
import { missingReaders, ReadersProcess } from '../readers-process.ts'
import { richLogs } from './rich-logs.ts'

describeUnlessMissing(missingReaders(), 'the rich logs of the campaign', () => {
  let readers: ReadersProcess
  beforeAll(() => {
    readers = new ReadersProcess()
  })
  afterAll(() => readers.stop())

  test.each(richLogs([0, 1, 2, 3]))('format $version: $name', async ({ rows }) => {
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    const theirs = await readers.ask(text)
    for (const answer of Object.values(theirs)) expect(answer).toMatchObject({ opens: true })
  })
})
