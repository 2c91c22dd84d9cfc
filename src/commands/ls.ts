/** `ls`: every session of a store, a folder or a database, newest first. A bad file is listed like any other. */

import { existsSync } from 'node:fs'
import { migrationFacts } from '../core/compatibility/migration-facts.ts'
import { judgeForReleases } from '../core/compatibility/upgrade-findings.ts'
import type { Judgement } from '../core/findings/verdict.ts'
import { present } from '../core/json/json-value.ts'
import { statistics } from '../core/projections/statistics.ts'
import { SKIPS_STREAMS } from '../load/inputs/judged-log.ts'
import { InputOpener } from '../load/inputs/open-input.ts'
import { HEALTHS, type Health, type QuickLook, quickLook } from '../load/inputs/quick-look.ts'
import type { LogInput } from '../load/inputs/resolve-inputs.ts'
import { withOpened } from '../log/open-log.ts'
import type { ListItem } from '../report/main-list.ts'
import { plural } from '../report/number-text.ts'
import { type ReportData, reportSetOf } from '../report/report.ts'
import { type CommandContext, defineCommand, type Outcome } from './definition/command.ts'
import { choice, flag, text, type ValuesOf, value } from './definition/option.ts'
import { parseMoment } from './definition/option-values.ts'
import { namedLogs, worstExitCode } from './many-logs/each-log.ts'
import { failedInput } from './many-logs/one-input.ts'

/** What `--deep` says in place of a quick look, when the log could be read. */
const DEEP_HEALTHS = [
  'clean',
  'left-out',
  'errors',
  'warnings',
  'unsupported',
  'incomplete',
  'refused-by-newer',
] as const
type DeepHealth = Health | (typeof DEEP_HEALTHS)[number]

const SORTS = ['updated', 'created', 'size', 'events', 'turns', 'id'] as const

const OPTIONS = {
  deep: flag('read every log whole: exact counts and the verdict of check'),
  sort: choice('<key>', SORTS, 'order of the list'),
  reverse: flag('reverse the order'),
  cwd: text('<directory>', 'only sessions of this working directory'),
  parent: text('<id>', 'only children of this session'),
  since: value(
    '<when>',
    parseMoment,
    'only sessions that were written since: a date, or 30m, 12h, 7d, 2w ago',
  ),
  title: text('<text>', 'only sessions with this in their title, in upper or lower case'),
  health: choice('<word>', [...HEALTHS, ...DEEP_HEALTHS], 'only sessions of this health'),
}

type ListOptions = ValuesOf<typeof OPTIONS>

export const command = defineCommand({
  arguments: [['[stores...]', 'stores, folders or databases; the store of DSH when none is named']],
  options: OPTIONS,
  uses: ['reading', 'inputs'],
  examples: [
    'resurface ls',
    'resurface ls ~/.dsh/sessions --deep --health errors',
    'resurface ls --since 7d --title parser',
    'resurface ls sessions.db --json',
  ],
  isLong: true,
  run: ([stores], options, context) => list(stores, options, context),
})

async function list(
  names: readonly string[],
  options: ListOptions,
  context: CommandContext,
): Promise<Outcome> {
  const opener = new InputOpener(context)
  const failures: string[] = []
  const codes: number[] = []
  const sessions: ListItem<'ls'>[] = []
  const failed = (error: unknown, path: string): [] => {
    const { message, exitCode } = failedInput(error, path)
    failures.push(message)
    // A list has no verdict of its own: what could not be listed could not be read.
    codes.push(exitCode === 70 ? exitCode : 3)
    return []
  }
  try {
    const { inputs, problems } = await namedLogs(names, context)
    if (inputs.length === 0 && problems[0] !== undefined) throw problems[0].error
    for (const { path, error } of problems) failed(error, path)
    context.progress?.expect(inputs.map(({ path }) => path))
    for (const named of inputs) {
      context.progress?.next(named.path)
      const logs = await opener.expand(named).catch((error: unknown) => failed(error, named.name))
      for (const input of logs) {
        await describe(input, opener, options, context).then(
          (session) => sessions.push(session),
          (error: unknown) => failed(error, input.name),
        )
      }
    }
  } finally {
    await opener.close()
  }
  const asOf = context.now()
  const shown = sessions.filter((one) => matches(one, options, asOf))
  const isNone = shown.length === 0 && sessions.length > 0
  const data: ReportData<'ls'> = { asOf, sessions: ordered(shown, options) }
  return {
    reportSet: reportSetOf({ schema: 'resurface/ls@1', findings: [], data }),
    exitCode: worstExitCode(codes),
    ...(isNone && { notes: [`none of ${plural(sessions.length, 'session')} is what was asked for`] }),
    failures,
  }
}

async function describe(
  input: LogInput,
  opener: InputOpener,
  options: ListOptions,
  context: CommandContext,
): Promise<ListItem<'ls'>> {
  return withOpened(opener, input, context, async (log) => {
    const look = await quickLook(log.input)
    const listed = listedSession(input, log.input.container, look)
    if (!options.deep) return listed
    const reducers = { statistics: statistics(), facts: migrationFacts() }
    const { findings, header, results } = await log.read(reducers, SKIPS_STREAMS)
    const { events, turns, title, lastTime } = results.statistics
    const { judgement } = judgeForReleases(findings, header?.version, results.facts, context.failOn)
    return {
      ...listed,
      events,
      turns,
      ...present({ title, updated: lastTime }),
      health: deepHealth(judgement, look.health),
    }
  })
}

/** The verdict of `check` in one word. */
function deepHealth({ verdict, counts, exitCode }: Judgement, quick: Health): DeepHealth {
  if (exitCode === 3) return quick
  if (verdict !== 'findings') return verdict
  return counts.error > 0 ? 'errors' : 'warnings'
}

function listedSession(input: LogInput, container: string, look: QuickLook): ListItem<'ls'> {
  const { header, events, turns, title, failure, bytes, updated, health } = look
  return {
    id: header?.id ?? '',
    path: input.name,
    container,
    bytes,
    ...(header !== undefined && { format: header.version, created: header.createdAt }),
    ...present({ events, turns, title, failure, cwd: header?.cwd }),
    ...(header?.cwd !== undefined && !isThere(header.cwd) && { cwdMissing: true as const }),
    ...(header?.parentSession !== undefined && { parent: header.parentSession }),
    updated,
    health,
  }
}

function matches(session: ListItem<'ls'>, options: ListOptions, now: number): boolean {
  if (options.since !== undefined && session.updated < options.since(now)) return false
  if (options.title !== undefined && !includes(session.title, options.title)) return false
  if (options.cwd !== undefined && session.cwd !== options.cwd) return false
  if (options.parent !== undefined && session.parent !== options.parent) return false
  return options.health === undefined || session.health === options.health
}

function includes(text: string | undefined, part: string): boolean {
  return text?.toLowerCase().includes(part.toLowerCase()) === true
}

function ordered(sessions: readonly ListItem<'ls'>[], options: ListOptions): readonly ListItem<'ls'>[] {
  const key = options.sort ?? 'updated'
  const rankOf = (session: ListItem<'ls'>): number =>
    key === 'size' ? session.bytes : key === 'id' ? 0 : (session[key] ?? -1)
  const byName = (a: ListItem<'ls'>, b: ListItem<'ls'>): number =>
    a.id < b.id ? -1 : a.id > b.id ? 1 : a.path < b.path ? -1 : 1
  const sorted = sessions.toSorted((a, b) => rankOf(b) - rankOf(a) || byName(a, b))
  return options.reverse ? sorted.toReversed() : sorted
}

const folders = new Map<string, boolean>()

/** Whether a working directory is on this machine. Of most sessions it is one of a few. */
function isThere(folder: string): boolean {
  const known = folders.get(folder)
  if (known !== undefined) return known
  const found = existsSync(folder)
  folders.set(folder, found)
  return found
}
