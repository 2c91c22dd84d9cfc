/** What every report is made of: the log, the verdict, the findings, events. */
import {
  anything,
  flag,
  type JsonSchema,
  listOf,
  number,
  oneOf,
  record,
  shared,
  text,
  whole,
} from './json-schema.ts'

export const SHARED_DEFINITIONS: Readonly<Record<string, JsonSchema>> = {
  severity: oneOf('error', 'warning', 'info'),
  layer: oneOf('bytes', 'order', 'meaning', 'compatibility'),
  verdict: oneOf('clean', 'findings', 'unsupported', 'incomplete'),
  eventClass: oneOf('current', 'shadowed', 'log-only'),
  subject: record({ path: text }, { sessionId: text, format: whole, container: text }),
  finding: record(
    { code: text, severity: shared('severity'), layer: shared('layer'), message: text, fingerprint: text },
    {
      seq: whole,
      line: whole,
      byteOffset: whole,
      byteLength: whole,
      frame: whole,
      row: whole,
      related: listOf(whole),
      causedBy: { ...text, description: 'fingerprint of the finding it follows from' },
    },
  ),
  unread: record({ path: text, message: text }),
  ruleCount: record({ code: text, severity: shared('severity'), count: whole }),
  surfaceOp: {
    anyOf: [{ const: 'append' }, record({ op: { const: 'replace' }, start: whole, end: whole })],
  },
  // The envelope of a damaged event may hold anything: `check` says what is wrong with it.
  event: record(
    { type: text, seq: whole, time: number },
    { data: anything, surfaceOp: anything, sourceEventSeqs: anything, ignorable: anything },
  ),
  header: record(
    { type: { const: 'session' }, version: whole, id: text, createdAt: number },
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
  diffLevel: oneOf('bytes', 'log', 'surface'),
  digests: record({ before: text, after: text }),
}
