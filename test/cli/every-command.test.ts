/** What must hold for each command. */
import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/commands/index.ts'
import { CALLS } from '../support/every-command.ts'

test('there is a call of every command', () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted())
})
