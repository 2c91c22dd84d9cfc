/** What every report is made of: the log, the verdict, the findings, events. */
import { DIFF_LEVELS } from '../../core/diff/change.ts'
import {
  anyOf,
  anything,
  constant,
  flag,
  listOf,
  logNumber,
  number,
  oneOf,
  record,
  referencesTo,
  text,
  whole,
} from '../../core/json/json-schema.ts'
import { GAP_KINDS } from '../../core/replay/gap.ts'

const WORDS = {
  severity: oneOf('error', 'warning', 'info'),
  layer: oneOf('bytes', 'order', 'meaning', 'compatibility'),
  verdict: oneOf('clean', 'left-out', 'findings', 'unsupported', 'incomplete', 'refused-by-newer'),
  eventClass: oneOf('current', 'shadowed', 'log-only'),
  diffLevel: oneOf(...DIFF_LEVELS),
}

const word = referencesTo<typeof WORDS>()

const GAP_KIND = {
  ...oneOf(...GAP_KINDS),
  description:
    'missing: not in the log; unreadable: in a damaged part; unnumbered: without a valid seq; unread: over the limit; dropped: at the end, and DSH drops them',
}

const GAP_MEMBERS = {
  last: { ...whole, description: 'the last seq that is not there; absent where it is not known' },
  events: { ...whole, description: 'how many events are lost; absent where it is not known' },
  turn: { ...logNumber, description: 'the turn that was open' },
  step: logNumber,
  texts: { ...listOf(text), description: 'beginnings of texts that could be read in what is left' },
}

export const SHARED_DEFINITIONS = {
  ...WORDS,
  subject: record({ path: text }, { sessionId: text, format: logNumber, container: text }),
  finding: record(
    { code: text, severity: word('severity'), layer: word('layer'), message: text, fingerprint: text },
    {
      seq: whole,
      line: whole,
      byteOffset: whole,
      byteLength: whole,
      frame: whole,
      row: whole,
      related: listOf(logNumber),
      excerpt: {
        ...record({ text, at: whole }),
        description: 'what a damaged record looks like; at is where the damage begins in the text',
      },
      causedBy: { ...text, description: 'fingerprint of the finding it follows from' },
    },
  ),
  unread: record({ path: text, message: text }),
  ruleCount: record({
    code: text,
    severity: word('severity'),
    count: whole,
    title: text,
    why: text,
    fix: text,
    repairable: flag,
  }),
  gap: record({ kind: GAP_KIND, first: whole }, GAP_MEMBERS),
  surfaceGap: record(
    { kind: GAP_KIND, first: whole },
    {
      ...GAP_MEMBERS,
      after: { ...whole, description: 'the message that it comes after; absent before the first' },
    },
  ),
  surfaceOp: anyOf(constant('append'), record({ op: constant('replace'), start: whole, end: whole })),
  // The envelope of a damaged event may hold anything: `check` says what is wrong with it.
  event: record(
    { type: text, seq: whole, time: number },
    { data: anything, surfaceOp: anything, sourceEventSeqs: anything, ignorable: anything },
  ),
  header: record(
    { type: constant('session'), version: logNumber, id: text, createdAt: number },
    {
      cwd: text,
      parentSession: text,
      seedLength: whole,
      isSeeded: flag,
      delegationDepth: whole,
      origin: text,
      agentPreset: text,
    },
  ),
  origin: record(
    {},
    { line: whole, byteOffset: whole, byteLength: whole, frame: whole, row: whole, member: whole },
  ),
  tokens: record({ input: whole, output: whole, cacheRead: whole, cacheWrite: whole }),
  digests: record({ before: text, after: text }),
}

/** A reference to a definition that all schemas share. */
export const shared = referencesTo<typeof SHARED_DEFINITIONS>()
