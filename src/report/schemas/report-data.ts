/**
 * The documented content of `data`, for every kind of report. To add a command or a member, add it here: a test
 * compares the schemas with what the commands print. Removing or retyping a member makes a new version of the report.
 */
import { CHANGE } from '../../core/diff/change.ts'
import {
  anyObject,
  anyOf,
  constant,
  flag,
  listOf,
  logNumber,
  type Members,
  madeListOf,
  mapOf,
  number,
  oneOf,
  type RecordSchema,
  record,
  type Static,
  streamOf,
  text,
  whole,
} from '../../core/json/json-schema.ts'
import { CRASH_POINTS } from '../../core/projections/crash-points.ts'
import { SIZES } from '../../core/projections/log-sizes.ts'
import { SURFACE_GROWTH } from '../../core/projections/surface-growth.ts'
import { TURN_SPANS } from '../../core/projections/turn-spans.ts'
import { HIT } from '../../core/search/find-text.ts'
import { shared } from './shared-definitions.ts'

const classCounts = record({ current: whole, shadowed: whole, logOnly: whole })
const yesOrNo = oneOf('yes', 'no', 'unknown')
const layerState = oneOf('ok', 'error', 'warning', 'info', 'unchecked')

/** A small log that raises a code; `docs/rule-examples.json` has one for nearly every rule. */
export const RULE_EXAMPLE = record(
  {
    name: text,
    why: text,
    files: listOf(
      record(
        { path: text, bytes: whole },
        {
          lines: { ...listOf(text), description: 'the text between the line feeds' },
          gzip: {
            ...text,
            description: 'the bytes by gzip and base64, where the lines do not give them exactly',
          },
          container: oneOf('zstd', 'gzip', 'sqlite'),
        },
      ),
    ),
    named: { ...text, description: 'what check is given, below the folder of the example' },
    options: listOf(text),
  },
  { line: { ...whole, description: 'line of the first file that raises the code' } },
)

/** What a plan says that is kept in a file. */
export const REPAIR_PLAN = {
  steps: listOf(
    record(
      { kind: text, args: anyObject, what: text, reason: text, count: whole },
      { finding: text, lines: listOf(whole), seqs: listOf(whole) },
    ),
  ),
  digests: record({ surface: shared('digests'), transcript: shared('digests') }),
}

const diffSide = record(
  { path: text, container: text, events: whole },
  {
    sessionId: text,
    format: logNumber,
    at: { ...whole, description: 'seq after which the surface is compared' },
    messages: whole,
    digest: { ...text, description: 'hash of the messages, as surface --digest gives it' },
    unread: { ...listOf(text), description: 'findings that say that a part of the log was not read' },
  },
)
const recordCounts = { same: whole, added: whole, removed: whole }
const messageCounts = { ...recordCounts, changed: whole, moved: whole }

const checkData = record(
  {
    layers: record({
      bytes: layerState,
      order: layerState,
      meaning: layerState,
      compatibility: layerState,
    }),
    counts: record({ error: whole, warning: whole, info: whole }),
    opens: { ...flag, description: 'whether the shipped readers of the format open the log' },
    answers: {
      ...record({ opens: yesOrNo, resumes: yesOrNo, nextRequest: yesOrNo }),
      description:
        'whether DSH (with --target: that release) opens the log and can go on with the session, and whether the provider takes its next request',
    },
    events: whole,
    rules: listOf(shared('ruleCount')),
    compatibility: {
      ...listOf(
        record(
          {
            release: text,
            opens: flag,
            reasons: listOf(
              record(
                { what: text, count: whole },
                { code: { ...text, description: 'of the findings that say it' } },
              ),
            ),
          },
          { secondHand: { ...flag, description: 'nobody could ask the release itself' } },
        ),
      ),
      description: 'which release lines of DSH open the log, and why the others do not',
    },
  },
  {
    gaps: { ...listOf(shared('gap')), description: 'what is lost; of very many gaps the first' },
    gapCount: { ...whole, description: 'how many gaps there are' },
    known: { ...whole, description: 'findings of the baseline that are left out' },
    rehearsal: {
      ...record({
        target: text,
        opensRepaired: { ...flag, description: 'whether a repair with this target makes it open the log' },
        changes: listOf(record({ what: text, count: whole })),
        refused: listOf(text),
      }),
      description: 'with --target: what "repair --target" would do',
    },
  },
)

const failureMembers = { reason: text, text }
const failureExtras = { code: text, status: number }

const inherited = record(
  { before: { ...whole, description: 'the first seq of its own: all before it were inherited' } },
  { from: { ...text, description: 'id of the session that they come from' } },
)

const waiting = {
  ...listOf(record({ seq: whole, text })),
  description: 'messages that wait in the inbox, those of the next step first, by their beginnings',
}

const infoData = record(
  {
    bytes: whole,
    records: { ...whole, description: 'lines or rows of events; one of packed rows holds several events' },
    classes: classCounts,
    events: whole,
    types: mapOf(whole),
    turns: whole,
    steps: whole,
    tools: mapOf(whole),
    models: listOf(text),
    compactions: listOf(record({ seq: whole, hidden: whole }, { hiddenTokens: logNumber })),
    replacements: whole,
    tokens: shared('tokens'),
    inheritedTokens: shared('tokens'),
  },
  {
    header: shared('header'),
    title: text,
    firstTime: number,
    lastTime: number,
    openTurn: whole,
    inherited,
    waiting,
    sizes: { ...SIZES, description: 'with --sizes: what takes the bytes' },
    failure: {
      ...record({ seq: whole, ...failureMembers }, failureExtras),
      description: 'how the last turn failed',
    },
  },
)

/** @param more - what an entry may have besides its own members. */
function entry<More extends Members>(more: More) {
  const base = { seq: whole, time: number }
  const optional = { turn: logNumber, ...more }
  return anyOf(
    record({ ...base, kind: constant('user'), text }, optional),
    record({ ...base, kind: constant('context'), source: text, text }, optional),
    record(
      { ...base, kind: constant('assistant'), text, calls: listOf(record({ callId: text, name: text })) },
      { ...optional, reasoning: text, interrupted: constant(true) },
    ),
    record(
      { ...base, kind: constant('tool'), callId: text, isError: flag, text },
      { ...optional, name: text, arguments: text, callSeq: whole, omitted: whole },
    ),
    record(
      { ...base, kind: constant('compaction'), text, hidden: whole },
      { ...optional, hiddenTokens: logNumber, summarySeq: whole },
    ),
    record({ ...base, kind: constant('gap'), gap: shared('gap') }, optional),
    record({ ...base, kind: constant('failure'), ...failureMembers }, { ...optional, ...failureExtras }),
    record(
      { ...base, kind: constant('unfinished'), what: constant('answer'), text },
      { ...optional, reasoning: text },
    ),
    record(
      {
        ...base,
        kind: constant('unfinished'),
        what: constant('tool-call'),
        callId: text,
        name: text,
        arguments: text,
        started: flag,
      },
      optional,
    ),
  )
}

const replacedBy = { ...whole, description: 'seq of the replacement that took the message from the model' }

const repairData = record(
  {
    ...REPAIR_PLAN,
    closers: listOf(shared('event')),
  },
  {
    refused: {
      ...listOf(text),
      description: 'why the repaired log would not open; the steps are those that can be done all the same',
    },
    commands: {
      ...listOf(text),
      description:
        'commands that repair the log with a choice, each of which was tried, or for newer releases',
    },
    losses: {
      ...listOf(shared('gap')),
      description: 'gaps, each with the number of its events that are not put back',
    },
    remaining: listOf(record({ code: text, count: whole })),
    waiting,
    inserted: listOf(shared('event')),
    notes: listOf(shared('event')),
    output: text,
    backup: text,
    quarantine: text,
    branches: listOf(text),
    install: { ...text, description: 'the command that puts the same repair in the place of the log' },
  },
)

export const REPORT_DATA = {
  anonymize: record(
    {
      output: text,
      container: oneOf('jsonl', 'zstd'),
      events: whole,
      fields: listOf(record({ what: text, replaced: whole, kept: whole })),
      keep: {
        ...listOf(record({ path: text, kept: whole })),
        description: 'values that stay because --keep asked for them',
      },
      same: {
        ...record({ findings: whole, current: whole, shadowed: whole, logOnly: whole, steps: whole }),
        description: 'what was compared with the log and is the same',
      },
    },
    {
      lacks: {
        ...listOf(text),
        description: 'codes of what is wrong with the container of the log, which the copy does not have',
      },
      secrets: {
        ...listOf(
          record({
            kind: text,
            mark: { ...text, description: 'what is in the place of the secret' },
            count: { ...whole, description: 'how often the mark was set' },
            places: {
              ...listOf(record({ line: whole }, { seq: number, member: text })),
              description: 'the first 20 of them',
            },
          }),
        ),
        description: 'what --only secrets replaced, in the order of the log',
      },
      base64: {
        ...record({ runs: whole, characters: whole }),
        description: 'base64 that --only secrets did not look into',
      },
    },
  ),
  bisect: record(
    { checks: { ...whole, description: 'replays, or runs of the command' } },
    {
      rule: text,
      command: text,
      method: oneOf('place', 'halving'),
      first: record(
        { line: { ...whole, description: 'number of the record; the header is 1' } },
        { frame: whole, row: whole, type: text, seq: whole, turn: logNumber, step: logNumber, time: number },
      ),
      lasts: { ...flag, description: 'whether the whole log still raises what is raised there' },
      settles: { ...flag, description: 'whether later events can settle the rule' },
      untold: {
        ...record({ from: whole, to: whole }),
        description: 'records of which the command could not tell; any of them may be the first',
      },
    },
  ),
  check: checkData,
  classify: record({
    counts: classCounts,
    events: streamOf(
      record({ seq: whole, type: text, class: shared('eventClass') }, { replacedBy: whole, turn: logNumber }),
    ),
  }),
  completion: record({}, { script: text, words: listOf(record({ word: text, meaning: text })), files: flag }),
  convert: record({
    output: text,
    container: text,
    rows: oneOf('as-is', 'packed', 'unpacked'),
    events: whole,
    digest: text,
    lost: listOf(text),
  }),
  'crash-points': CRASH_POINTS,
  diff: record(
    {
      outcome: {
        ...oneOf('same', 'different', 'unknown'),
        description: 'unknown: no difference was found, but a log was not read whole',
      },
      levels: listOf(shared('diffLevel')),
      a: diffSide,
      b: diffSide,
      summary: record(
        {},
        {
          bytes: record({ same: flag, counts: record(recordCounts) }),
          log: record({ same: flag, counts: record({ ...messageCounts, renumbered: whole }) }),
          surface: record({ same: flag, counts: record(messageCounts) }),
        },
      ),
      changes: streamOf(CHANGE),
    },
    { between: record({ count: whole, events: listOf(record({ first: whole, last: whole, type: text })) }) },
  ),
  explain: record(
    {
      rules: listOf(
        record(
          {
            code: text,
            severity: shared('severity'),
            layer: shared('layer'),
            title: text,
            why: text,
            fix: text,
            repairable: flag,
            source: text,
          },
          {
            example: RULE_EXAMPLE,
            noExample: { ...text, description: 'how the finding comes about, when no file can show it' },
          },
        ),
      ),
    },
    { written: { ...text, description: 'folder that the example was written to' } },
  ),
  events: record({ events: listOf(shared('event')), hasMore: flag }, { firstSeq: whole }),
  find: record({
    text: { ...text, description: 'what was looked for' },
    hits: streamOf(record({ path: text, session: text, ...HIT.required }, HIT.optional)),
    sessions: { ...whole, description: 'sessions that were searched' },
    sessionsWithHits: whole,
    more: { ...flag, description: 'whether the search ended at --limit' },
  }),
  info: infoData,
  ls: record({
    asOf: whole,
    sessions: listOf(
      record(
        { id: text, path: text, container: text, bytes: whole, updated: number, health: text },
        {
          format: logNumber,
          events: whole,
          turns: whole,
          title: text,
          failure: { ...text, description: 'what the last turn failed with' },
          cwd: text,
          cwdMissing: { ...constant(true), description: 'the working directory is not on this machine' },
          parent: text,
          created: number,
        },
      ),
    ),
  }),
  mcp: record({ calls: { ...whole, description: 'calls of tools that were answered' } }),
  messages: record({
    messages: madeListOf(record({ seq: whole, message: anyObject })),
    gaps: { ...listOf(shared('surfaceGap')), description: 'where messages may be missing, in log order' },
  }),
  minimize: record(
    {
      output: text,
      records: record({ before: whole, after: whole }),
      bytes: {
        ...record({ before: whole, after: whole }),
        description: 'of the log as plain JSONL',
      },
      checks: { ...whole, description: 'candidates that were tried' },
      isComplete: { ...flag, description: 'whether nothing more can be taken away; false when time ran out' },
    },
    { rule: text, command: text },
  ),
  repair: repairData,
  report: record(
    {
      check: checkData,
      info: infoData,
      surface: SURFACE_GROWTH,
      turns: TURN_SPANS,
      entries: listOf(
        entry({
          replacedBy,
          duration: { ...number, description: 'milliseconds from the start of the call to its result' },
          cut: { ...whole, description: 'UTF-16 units that were cut off the texts' },
        }),
      ),
      leftOut: { ...whole, description: 'earlier entries that are not in the list' },
    },
    {
      repair: { ...repairData, description: 'the plan of a repair, where there is something to mend' },
      inherited,
      part: { ...text, description: 'the options that chose the entries' },
    },
  ),
  schema: record({ document: { ...anyObject, description: 'a JSON Schema, draft 2020-12' } }),
  surface: record(
    {
      nodes: madeListOf(record({ seq: whole, type: text, op: shared('surfaceOp'), preview: text })),
      replaceGeneration: whole,
      replacements: listOf(record({ seq: whole, start: whole, end: whole, shadowed: listOf(whole) })),
      gaps: { ...listOf(shared('surfaceGap')), description: 'where messages may be missing, in log order' },
    },
    { at: whole, digest: { ...text, description: 'with --digest: hash of the messages' } },
  ),
  transcript: record(
    {
      entries: streamOf(entry({ replacedBy })),
    },
    { digest: { ...text, description: 'with --digest: hash of the entries' } },
  ),
  undo: record({ log: text, backup: text }),
  watch: record({
    found: streamOf(shared('finding')),
    counts: record({ error: whole, warning: whole, info: whole }),
  }),
  why: record(
    {
      event: shared('event'),
      origin: shared('origin'),
      class: shared('eventClass'),
      chain: listOf(whole),
      replaced: listOf(whole),
      sources: listOf(whole),
      derived: listOf(whole),
    },
    { replacedBy: whole },
  ),
} satisfies Readonly<Record<string, RecordSchema<object>>>

/** A kind of report: the command that gives it. */
export type ReportKind = keyof typeof REPORT_DATA

export type ReportData<Kind extends ReportKind = ReportKind> = Static<(typeof REPORT_DATA)[Kind]>
