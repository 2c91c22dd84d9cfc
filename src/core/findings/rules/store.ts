/** Where a log is kept, and what lies there with it. */
import { family } from '../rule.ts'

const HOLDS = {
  log: 'has the log open for writing',
  database: 'has the database open for writing',
  lock: 'holds the lock of the session folder',
} as const

export const STORE = family(
  {
    severity: 'error',
    layer: 'compatibility',
    repairable: false,
    source: 'format.md §1.2',
  },
  {
    'store/older-generation': {
      title: 'there is an older generation of the log next to it',
      severity: 'info',
      why: 'A newer DSH migrated the session and left the old file untouched. It reads only the newest one.',
      fix: 'Nothing to do.',
      source: 'format.md §1.3',
      args: { file: 'name', current: 'name' },
      message: (a) => `${a.file} is an older generation; ${a.current} is the current one`,
    },
    'store/generation-mismatch': {
      title: 'the file name and the header name different formats',
      why: 'The number in the name of a log must be the version in its header, so DSH refuses the file.',
      fix: 'Rename the file to the version in its header, session.v3.jsonl for format 3 and so on; format 0 has no number.',
      refused: true,
      source: 'format.md §1.3',
      args: { named: 'number', version: 'number' },
      message: (a) => `the file name says format ${a.named}, the header says ${a.version}`,
    },
    'store/misplaced': {
      title: 'the log is in the folder of another session',
      why: 'The log was moved or copied. DSH opens a log only at the path that follows from its id and working directory.',
      fix: 'Move the folder of the session to the place that the finding names.',
      refused: true,
      args: { expected: 'text', found: 'text' },
      message: (a) => `by its id and working directory it belongs in ${a.expected}, not in ${a.found}`,
    },
    'store/duplicate-id': {
      title: 'two projects have a session with the same id',
      why: 'A session was copied to another project. DSH cannot tell which one is meant and opens neither.',
      fix: 'Keep the one whose header names its project, and move the other out of the store.',
      refused: true,
      args: { id: 'name', other: 'name' },
      message: (a) => `session ${a.id} is also stored at ${a.other}`,
    },
    'store/mixed-suffixes': {
      title: 'the store has both compressed and plain logs',
      severity: 'warning',
      why: 'A DSH that is set up for one kind refuses a store that holds the other.',
      fix: 'Convert the logs of one kind, or keep each kind in a store of its own. To see how, run "resurface convert --help".',
      args: {},
      message: () => 'the store has both plain and compressed logs',
    },
    'store/flat-layout': {
      title: 'the log is in the flat layout of early builds',
      severity: 'warning',
      why: 'An early build wrote it. Builds since July 2026 require a folder for each session and refuse the file.',
      fix: 'Move it into a folder with the name of the session, as session.jsonl or session.jsonl.zstd.',
      args: { file: 'name' },
      message: (a) => `${a.file} is directly in a project folder`,
    },
    'store/running': {
      title: 'the session runs',
      severity: 'info',
      why: 'What is open or incomplete at the end is what the process is at work on, and not what a crash left.',
      fix: 'Nothing to do. "resurface watch LOG" follows it; for a repair, close the session first.',
      source: 'format.md §1.3',
      noExample:
        'It takes a second program that has the log open for writing, or holds the lock of its folder.',
      args: { pid: 'text', holds: HOLDS },
      message: (a) => `process ${a.pid} ${a.holds}`,
    },
    'store/leftover': {
      title: 'a temporary file of the writer was left behind',
      severity: 'info',
      layer: 'bytes',
      why: 'A crash during the first write left it. DSH ignores it.',
      fix: 'Nothing to do. It can be deleted while no DSH is running.',
      args: { file: 'name' },
      message: (a) => `${a.file} is a temporary file of a crashed write`,
    },
  },
)
