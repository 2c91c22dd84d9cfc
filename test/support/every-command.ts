/** A call of every command, for what must hold whatever is called. */
import { dirname, join } from 'node:path'

type Arguments = readonly string[]

/** @param folder - what a call writes goes here. */
type CallsOf = (log: string, folder: string) => readonly Arguments[]

/** By the name of the command; `every-command.test.ts` finds one that is not here. */
export const CALLS: Readonly<Record<string, CallsOf>> = {
  info: (log) => [
    ['info', log],
    ['info', log, '--sizes'],
  ],
  surface: (log) => [
    ['surface', log],
    ['surface', log, '--messages'],
  ],
  transcript: (log) => [['transcript', log, '--no-pager']],
  watch: (log) => [
    ['watch', log, '--idle', '0'],
    ['watch', log, '--findings', '--idle', '0'],
  ],
  events: (log) => [
    ['events', log, '--no-pager'],
    ['events', log, '--class', 'current', '--text', 'e', '--no-pager'],
  ],
  classify: (log) => [['classify', log, '--no-pager']],
  why: (log) => [['why', log, '3']],
  'crash-points': (log) => [['crash-points', log]],
  ls: (log) => [['ls', log]],
  diff: (log) => [
    ['diff', log, log],
    ['diff', log, '--from', '1', '--to', '5'],
  ],
  check: (log) => [['check', log]],
  explain: () => [['explain'], ['explain', 'order/seq-gap']],
  bisect: (log) => [['bisect', log, '--rule', 'turn/open']],
  minimize: (log, folder) => [
    ['minimize', log, '--rule', 'turn/open', '-o', join(folder, 'minimal.jsonl'), '--time', '2'],
  ],
  repair: (log, folder) => [
    ['repair', log],
    ['repair', log, '-o', join(folder, 'repaired')],
  ],
  undo: (log) => [['undo', log]],
  report: (log, folder) => [
    ['report', log, '-o', join(folder, 'page.html')],
    ['report', log, '--json'],
  ],
  mcp: (log) => [['mcp', dirname(log)]],
  anonymize: (log, folder) => [
    ['anonymize', log, '-o', join(folder, 'shared')],
    ['anonymize', log, '--only', 'secrets', '-o', join(folder, 'redacted')],
  ],
  convert: (log, folder) => [
    ['convert', log, '-o', join(folder, 'converted.jsonl')],
    ['convert', log, '-o', join(folder, 'converted.db')],
  ],
  find: (log) => [
    ['find', 'a', log],
    ['find', '--regex', 'no such .* text', log],
  ],
  schema: () => [['schema', 'check']],
  completion: () => [['completion', 'bash']],
}

export function everyCall(log: string, folder: string): readonly Arguments[] {
  return Object.values(CALLS).flatMap((callsOf) => callsOf(log, folder))
}
