/** Formats 2 to 4: what the header says about inherited events, and the marker in the log (format.md §5.7). */
import { later, laterBase } from '../../support/later-log.ts'
import { at, type Case, clean, refused } from '../case.ts'

const inherited = { inherited: true }

export const cases: readonly Case[] = ([2, 3, 4] as const).flatMap((version): readonly Case[] => [
  {
    name: `forked-log-of-format-${version}`,
    why: 'Header and marker agree.',
    log: laterBase(version)
      .event('session/end-seed', inherited)
      .header({ isSeeded: true, parentSession: 'p' }),
    findings: [],
    ...clean,
    nearMissOf: ['seed/marker-missing', 'seed/marker-unexpected'],
  },
  {
    name: `forked-log-of-format-${version}-without-its-marker`,
    why: 'A plain marker only says that the session was resumed.',
    log: laterBase(version).event('session/end-seed').header({ isSeeded: true }),
    findings: [{ code: 'seed/marker-missing', line: 1 }],
    ...refused,
    nearMissOf: ['seed/marker-unexpected'],
  },
  {
    name: `marker-of-a-fork-in-a-log-of-format-${version}-that-is-none`,
    why: 'The header does not say that anything was inherited.',
    log: later(version).turn().event('session/end-seed', inherited),
    findings: [at('seed/marker-unexpected', 2)],
    ...refused,
    nearMissOf: ['seed/marker-missing'],
  },
  {
    name: `resumed-log-of-format-${version}`,
    why: 'A marker that is not called inherited needs no word in the header.',
    log: later(version).turn().event('session/end-seed'),
    findings: [],
    ...clean,
    nearMissOf: ['seed/marker-unexpected'],
  },
])
