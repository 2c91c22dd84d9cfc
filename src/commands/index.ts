/**
 * The commands, in the order of the help. A command's module is loaded when it is called, so that one command does
 * not pay for another.
 *
 * To add a command: write `commands/<name>.ts` and its view, and add a row here.
 */
import type { Command, CommandName } from './definition/command.ts'

export interface CommandEntry {
  readonly name: CommandName
  readonly group: string
  readonly summary: string
  readonly load: () => Promise<{ readonly command: Command }>
}

export const COMMANDS: readonly CommandEntry[] = [
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
  {
    name: 'messages',
    group: 'Look',
    summary: 'the messages that are sent to the model',
    load: () => import('./messages.ts'),
  },
  { name: 'transcript', group: 'Look', summary: 'what the human saw', load: () => import('./transcript.ts') },
  {
    name: 'watch',
    group: 'Look',
    summary: 'the transcript, or the findings, while a log grows',
    load: () => import('./watch.ts'),
  },
  { name: 'history', group: 'Look', summary: 'a page of raw events', load: () => import('./history.ts') },
  {
    name: 'classify',
    group: 'Look',
    summary: 'current, shadowed or log-only, for every event',
    load: () => import('./classify.ts'),
  },
  {
    name: 'find',
    group: 'Look',
    summary: 'where a text was said, and whether the model still sees it',
    load: () => import('./find.ts'),
  },
  { name: 'why', group: 'Look', summary: 'what became of one event', load: () => import('./why.ts') },
  {
    name: 'crash-points',
    group: 'Look',
    summary: 'what a crash behind each event would cost',
    load: () => import('./crash-points.ts'),
  },
  {
    name: 'ls',
    group: 'Look',
    summary: 'the sessions of a store, newest first',
    load: () => import('./ls.ts'),
  },
  {
    name: 'diff',
    group: 'Look',
    summary: 'what differs between two logs, or two moments of one',
    load: () => import('./diff.ts'),
  },
  {
    name: 'check',
    group: 'Check',
    summary: 'everything that is wrong with a log',
    load: () => import('./check.ts'),
  },
  {
    name: 'explain',
    group: 'Check',
    summary: 'what a finding code means',
    load: () => import('./explain.ts'),
  },
  {
    name: 'bisect',
    group: 'Check',
    summary: 'the first event with which a log turns bad',
    load: () => import('./bisect.ts'),
  },
  {
    name: 'minimize',
    group: 'Check',
    summary: 'the smallest log that still raises a finding',
    load: () => import('./minimize.ts'),
  },
  {
    name: 'repair',
    group: 'Mend',
    summary: 'the plan of a repair, and the repaired log',
    load: () => import('./repair.ts'),
  },
  {
    name: 'undo',
    group: 'Mend',
    summary: 'the log as it was before repair --in-place',
    load: () => import('./undo.ts'),
  },
  {
    name: 'report',
    group: 'Share',
    summary: 'a page for the browser: verdict, conversation, pictures',
    load: () => import('./report.ts'),
  },
  {
    name: 'anonymize',
    group: 'Share',
    summary: 'a copy of a log without its content, for a bug report',
    load: () => import('./anonymize.ts'),
  },
  {
    name: 'convert',
    group: 'Other',
    summary: 'the same log in another container',
    load: () => import('./convert.ts'),
  },
  {
    name: 'render',
    group: 'Other',
    summary: 'a saved report in another format',
    load: () => import('./render.ts'),
  },
  {
    name: 'schema',
    group: 'Other',
    summary: 'the JSON Schema of what a command answers',
    load: () => import('./schema.ts'),
  },
  {
    name: 'completion',
    group: 'Other',
    summary: 'completions for bash, zsh and fish',
    load: () => import('./completion.ts'),
  },
]
