/** Databases of sessions. */
import { family } from '../rule.ts'
import { REPAIR } from './shared-words.ts'

export const DATABASE = family(
  {
    severity: 'error',
    layer: 'compatibility',
    repairable: false,
    refused: true,
  },
  {
    'database/damaged': {
      repairs: ['salvage-database'],
      title: 'pages of the database are damaged',
      layer: 'bytes',
      why: 'SQLite cannot read them. The rows that could be reached from either side are shown.',
      fix: `A repair puts everything that can be reached into a new database. ${REPAIR}`,
      repairable: true,
      unread: true,
      source: 'format.md §3',
      args: { problem: 'text' },
      message: (a) => `the database is damaged: ${a.problem}`,
    },
    'database/foreign': {
      repairs: ['salvage-database'],
      title: 'the database is not marked as a session store',
      why: 'DSH refuses to open it.',
      fix: `Check the path. If it is the right one, a repair puts the session into a fresh database. ${REPAIR}`,
      repairable: true,
      source: 'format.md §3.1',
      args: { problem: 'text' },
      message: (a) => `${a.problem}`,
    },
    'database/schema': {
      title: 'the schema of the database is not one that can be read',
      severity: 'warning',
      why: 'No build of DSH migrates a database: only the build that wrote it opens it.',
      fix: 'Use the DSH build that wrote the database.',
      outcome: 'unsupported',
      unread: true,
      source: 'format.md §3.3',
      args: { problem: 'text' },
      message: (a) => `${a.problem}`,
    },
  },
)
