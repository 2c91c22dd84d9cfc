/**
 * The commands, in the order of the help. A command's module is loaded when it is called, so that one command does
 * not pay for another.
 *
 * To add a command: write `commands/<name>.ts` and its view, and add a row here.
 */
import type { ReportKind } from '../report/report.ts'
import type { Command } from './definition/command.ts'

export interface CommandEntry {
  readonly name: ReportKind
  readonly group: string
  readonly summary: string
  readonly load: () => Promise<{ readonly command: Command }>
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'check',
    group: 'Check',
    summary: 'everything that is wrong with a log, and what to do about it',
    load: () => import('./check.ts'),
  },
  {
    name: 'explain',
    group: 'Check',
    summary: 'what a finding code means',
    load: () => import('./explain.ts'),
  },
  {
    name: 'repair',
    group: 'Repair',
    summary: 'the plan of a repair, and the repaired log',
    load: () => import('./repair.ts'),
  },
  {
    name: 'undo',
    group: 'Repair',
    summary: 'the log as it was before repair --in-place',
    load: () => import('./undo.ts'),
  },
  {
    name: 'info',
    group: 'Look',
    summary: 'what a log is and what it holds',
    load: () => import('./info.ts'),
  },
  {
    name: 'surface',
    group: 'Look',
    summary: 'what the model sees, now or at an earlier event',
    load: () => import('./surface.ts'),
  },
  { name: 'transcript', group: 'Look', summary: 'what the human saw', load: () => import('./transcript.ts') },
  {
    name: 'classify',
    group: 'Look',
    summary: 'current, shadowed or log-only, for every event',
    load: () => import('./classify.ts'),
  },
  { name: 'why', group: 'Look', summary: 'what became of one event', load: () => import('./why.ts') },
  {
    name: 'events',
    group: 'Look',
    summary: 'whole events, a page or those that match',
    load: () => import('./events.ts'),
  },
  {
    name: 'find',
    group: 'Look',
    summary: 'where a text was said, and whether the model still sees it',
    load: () => import('./find.ts'),
  },
  {
    name: 'watch',
    group: 'Look',
    summary: 'the transcript, or the findings, while a log grows',
    load: () => import('./watch.ts'),
  },
  {
    name: 'diff',
    group: 'Look',
    summary: 'what differs between two logs, or two moments of one',
    load: () => import('./diff.ts'),
  },
  {
    name: 'ls',
    group: 'Look',
    summary: 'the sessions of a store, newest first',
    load: () => import('./ls.ts'),
  },
  {
    name: 'report',
    group: 'Share',
    summary: 'a page for the browser: verdict, conversation, charts',
    load: () => import('./report.ts'),
  },
  {
    name: 'anonymize',
    group: 'Share',
    summary: 'a copy of a log without its content or its secrets, to share',
    load: () => import('./anonymize.ts'),
  },
  {
    name: 'mcp',
    group: 'Share',
    summary: 'a server that lets an agent look at sessions, and write nothing',
    load: () => import('./mcp.ts'),
  },
  {
    name: 'bisect',
    group: 'Advanced',
    summary: 'the event that introduced a problem',
    load: () => import('./bisect.ts'),
  },
  {
    name: 'minimize',
    group: 'Advanced',
    summary: 'the smallest log that still raises a finding',
    load: () => import('./minimize.ts'),
  },
  {
    name: 'crash-points',
    group: 'Advanced',
    summary: 'what a crash after each event would cost',
    load: () => import('./crash-points.ts'),
  },
  {
    name: 'convert',
    group: 'Advanced',
    summary: 'the same log in another container',
    load: () => import('./convert.ts'),
  },
  {
    name: 'completion',
    group: 'Advanced',
    summary: 'completions for bash, zsh and fish',
    load: () => import('./completion.ts'),
  },
  {
    name: 'schema',
    group: 'Advanced',
    summary: 'the JSON Schema of what a command answers',
    load: () => import('./schema.ts'),
  },
]
