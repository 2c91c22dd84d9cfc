/** The place of a log: store, project, session, generation (format.md §1). */
import { laterBase } from '../../support/later-log.ts'
import { log } from '../../support/log-builder.ts'
import { base } from '../../support/sample-logs.ts'
import { type Case, clean, mended, refused } from '../case.ts'

const ID = 'session-00000000-0000-4000-8000-000000000001'
const LATER_ID = 'session-00000000-0000-4000-8000-000000000004'
const PLACE = `--w--/${ID}/session.jsonl`
const LATER_PLACE = `--w--/${LATER_ID}`

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
    why: 'Older generations stay untouched beside it, and are mentioned.',
    log: laterBase(4),
    file: `${LATER_PLACE}/session.v4.jsonl`,
    beside: {
      [`${LATER_PLACE}/session.jsonl`]: base().header({ id: LATER_ID }),
      [`${LATER_PLACE}/session.v3.jsonl`]: laterBase(3),
      [`${LATER_PLACE}/session.lock`]: Buffer.alloc(0),
    },
    named: '.',
    findings: [{ code: 'store/older-generation' }, { code: 'store/older-generation' }],
    ...clean,
  },
  {
    name: 'names-that-are-no-generation',
    why: 'No capital letter, no zero in front, no version 0.',
    log: laterBase(4),
    file: `${LATER_PLACE}/session.v4.jsonl`,
    beside: {
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
    beside: { [`--v--/${ID}/session.jsonl`]: base().header({ cwd: '/v' }) },
    named: '.',
    findings: [{ code: 'store/duplicate-id' }],
    ...refused,
  },
  {
    name: 'two-ids-in-one-project',
    why: 'That is what projects are for.',
    log: base(),
    file: PLACE,
    beside: { '--w--/other/session.jsonl': base().header({ id: 'other' }) },
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
    beside: { '--w--/other/session.jsonl.zstd': base().header({ id: 'other' }) },
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
    name: 'left-behind-by-a-crash',
    why: 'The writer died before it could give the file its name.',
    log: log(),
    file: PLACE,
    beside: { [`--w--/${ID}/session.jsonl.0123456789ab.tmp`]: Buffer.from('{"type":') },
    named: '.',
    findings: [{ code: 'store/leftover' }],
    ...clean,
  },
]
