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
      why: 'SQLite cannot read them, and DSH fails when it does. resurface shows the rows that can be reached from either side.',
      fix: `A repair writes everything that can be reached into a new database. ${REPAIR}`,
      repairable: true,
      unread: true,
      source: 'format.md §3',
      args: { problem: 'text' },
      message: (a) => `the database is damaged: ${a.problem}`,
    },
    'database/foreign': {
      repairs: ['salvage-database'],
      title: 'the database is not marked as a session store',
      why: 'Another program made the file, or its header is damaged. DSH refuses to open it.',
      fix: `Check the path. If it is the right one, a repair writes the session into a new database. ${REPAIR}`,
      repairable: true,
      source: 'format.md §3.1',
      args: { problem: 'text' },
      message: (a) => `${a.problem}`,
    },
    'database/schema': {
      title: 'the database has a schema that cannot be read',
      severity: 'warning',
      why: 'DSH does not migrate databases: only the build that wrote this one opens it.',
      fix: 'Open the session with the DSH that wrote the database.',
      outcome: 'unsupported',
      unread: true,
      source: 'format.md §3.3',
      args: { problem: 'text' },
      message: (a) => `${a.problem}`,
    },
  },
)
