/** The place of a log: store, project, session, generation (format.md §1). */
import { writeStoredFrame } from '../../../src/storage/zstd/frame-writer.ts'
import { laterBase } from '../../support/later-log.ts'
import { type LogBuilder, log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'
import { type Case, clean, mended, refused } from '../case.ts'

const ID = 'session-00000000-0000-4000-8000-000000000001'
const LATER_ID = 'session-00000000-0000-4000-8000-000000000004'
const PLACE = `--w--/${ID}/session.jsonl`
const LATER_PLACE = `--w--/${LATER_ID}`

async function compressed(built: LogBuilder): Promise<Buffer> {
  const [header = '', ...rows] = built.lines().map((line) => `${line}\n`)
  const frames = [header, rows.join('')].map((lines) => writeStoredFrame(Buffer.from(lines)))
  return Buffer.concat(await Promise.all(frames))
}

export const cases: readonly Case[] = [
  {
    name: 'log-in-its-place',
    why: 'The folders are those that id and working directory give.',
    log: base(),
    file: PLACE,
    named: '.',
    findings: [],
    ...clean,
    nearMissOf: ['store/misplaced', 'store/flat-layout', 'store/generation-mismatch'],
  },
  {
    name: 'log-without-directory-in-its-place',
    why: 'Without a working directory it belongs to _no-cwd.',
    log: base().header({ cwd: undefined }),
    file: `_no-cwd/${ID}/session.jsonl`,
    findings: [],
    ...clean,
    nearMissOf: ['store/misplaced'],
  },
  {
    name: 'id-that-needs-escapes',
    why: 'Every other unit becomes ~ and four digits, in id and directory.',
    log: base().header({ id: 'a b/ü', cwd: '/größe: x' }),
    file: '--gr~00F6~00DFe-~0020x--/a~0020b~002F~00FC/session.jsonl',
    findings: [],
    ...clean,
    nearMissOf: ['store/misplaced'],
  },
  {
    name: 'log-of-another-project',
    why: 'A folder was copied by hand: DSH refuses a log that lies where another one belongs.',
    log: base().header({ cwd: '/elsewhere' }),
    file: PLACE,
    findings: [{ code: 'store/misplaced', line: 1 }],
    ...refused,
  },
  {
    name: 'log-of-another-session',
    why: 'The folder has the id of another session.',
    log: base(),
    file: '--w--/other/session.jsonl',
    findings: [{ code: 'store/misplaced', line: 1 }],
    ...refused,
  },
  {
    name: 'highest-generation-wins',
    why: 'Older generations stay untouched next to it, and are mentioned.',
    log: laterBase(4),
    file: `${LATER_PLACE}/session.v4.jsonl`,
    others: {
      [`${LATER_PLACE}/session.jsonl`]: base().header({ id: LATER_ID }),
      [`${LATER_PLACE}/session.v3.jsonl`]: laterBase(3),
      [`${LATER_PLACE}/session.lock`]: Buffer.alloc(0),
    },
    named: '.',
    findings: [{ code: 'store/older-generation' }, { code: 'store/older-generation' }],
    ...clean,
  },
  {
    name: 'both-suffixes-of-one-generation',
    why: 'Neither is older: they are two logs of one session, and a build of DSH reads one of them.',
    log: laterBase(4),
    file: `${LATER_PLACE}/session.v4.jsonl`,
    others: { [`${LATER_PLACE}/session.v4.jsonl.zstd`]: laterBase(4) },
    named: '.',
    findings: [{ code: 'store/mixed-suffixes' }],
    ...mended,
    nearMissOf: ['store/older-generation'],
  },
  {
    name: 'names-that-are-no-generation',
    why: 'No capital letter, no zero in front, no version 0.',
    log: laterBase(4),
    file: `${LATER_PLACE}/session.v4.jsonl`,
    others: {
      [`${LATER_PLACE}/session.V5.jsonl.bak`]: Buffer.alloc(0),
      [`${LATER_PLACE}/session.v05.jsonl.old`]: Buffer.alloc(0),
    },
    named: LATER_PLACE,
    findings: [],
    ...clean,
    nearMissOf: ['store/older-generation', 'store/leftover'],
  },
  {
    name: 'name-of-another-generation',
    why: 'File name and header disagree about the format: DSH refuses it.',
    log: laterBase(3),
    file: `${LATER_PLACE}/session.v4.jsonl`,
    findings: [{ code: 'store/generation-mismatch', line: 1 }],
    ...refused,
  },
  {
    name: 'same-id-in-two-projects',
    why: 'DSH cannot tell which one is meant.',
    log: base(),
    file: PLACE,
    others: { [`--v--/${ID}/session.jsonl`]: base().header({ cwd: '/v' }) },
    named: '.',
    findings: [{ code: 'store/duplicate-id' }],
    ...refused,
  },
  {
    name: 'two-ids-in-one-project',
    why: 'That is what projects are for.',
    log: base(),
    file: PLACE,
    others: { '--w--/other/session.jsonl': base().header({ id: 'other' }) },
    named: '.',
    findings: [],
    ...clean,
    nearMissOf: ['store/duplicate-id', 'store/mixed-suffixes'],
  },
  {
    name: 'plain-and-compressed-in-one-store',
    why: 'A build of DSH reads one of the two, and refuses the other.',
    log: base(),
    file: PLACE,
    others: { '--w--/other/session.jsonl.zstd': () => compressed(base().header({ id: 'other' })) },
    named: '.',
    findings: [{ code: 'store/mixed-suffixes' }],
    ...mended,
  },
  {
    name: 'flat-layout',
    why: 'Builds before the end of July 2026 kept logs directly in the project folder.',
    log: base(),
    file: `--w--/${ID}.jsonl`,
    named: '.',
    findings: [{ code: 'store/flat-layout' }],
    ...mended,
  },
  {
    name: 'fork-without-its-parent',
    why: 'The parent was deleted. The log holds all it inherited; following it back ends here.',
    log: base().header({ parentSession: 'gone', seedLength: 9 }),
    file: PLACE,
    others: { '--v--/other/session.jsonl': base().header({ id: 'other', cwd: '/v' }) },
    findings: [{ code: 'fork/parent-missing', line: 1 }],
    ...mended,
  },
  {
    name: 'fork-with-its-parent-in-another-project',
    why: 'A session may be forked from another working directory, and its parent may be of a later format.',
    log: base().header({ parentSession: LATER_ID, seedLength: 9 }),
    file: PLACE,
    others: { [`--v--/${LATER_ID}/session.v4.jsonl`]: laterBase(4).header({ cwd: '/v' }) },
    findings: [],
    ...clean,
    nearMissOf: ['fork/parent-missing', 'fork/parent-cycle'],
  },
  {
    name: 'session-that-is-its-own-parent',
    why: 'Whatever follows the parents never comes to an end; the log alone shows it.',
    log: base().header({ id: 'session-a', parentSession: 'session-a' }),
    findings: [{ code: 'fork/parent-cycle', line: 1 }],
    ...mended,
    exampleOf: ['fork/parent-cycle'],
  },
  {
    name: 'parents-in-a-circle',
    why: 'Each log is in order; only together they show that there is no first session.',
    log: base().header({ parentSession: 'middle' }),
    file: PLACE,
    others: {
      '--w--/middle/session.jsonl': base().header({ id: 'middle', parentSession: 'last' }),
      '--w--/last/session.jsonl': base().header({ id: 'last', parentSession: ID }),
    },
    findings: [{ code: 'fork/parent-cycle', line: 1 }],
    ...mended,
  },
  {
    name: 'fork-in-no-store',
    why: 'A lone file says nothing about the sessions next to it.',
    log: base().header({ parentSession: 'gone', seedLength: 9 }),
    findings: [],
    ...clean,
    nearMissOf: ['fork/parent-missing'],
  },
  {
    name: 'left-behind-by-a-crash',
    why: 'The writer died before it could give the file its name.',
    log: log(),
    file: PLACE,
    others: { [`--w--/${ID}/session.jsonl.0123456789ab.tmp`]: Buffer.from('{"type":') },
    named: '.',
    findings: [{ code: 'store/leftover' }],
    ...clean,
  },
]
