/** Faults of the header line (format.md §2.2, §2.6). */
import type { FindingCode } from '../../../src/core/findings/rules.ts'
import type { DraftLog, Row } from '../draft-log.ts'
import type { Expected, Mutation } from './mutation.ts'

const refused = (refusal: RegExp, code: FindingCode): Expected => ({ refusal, code })

const shape = refused(/first line is not a session header/, 'header/invalid')
const newer = refused(/uses log format v\S+, but this harness reads only v0/, 'format/newer')
const older = refused(/older than the supported v0/, 'format/older')
const retired = refused(/retired policy baseline fields/, 'header/retired')
const cwdFault = refused(/cwd/, 'header/invalid')

const header = (name: string, expected: Expected, change: (header: Row) => void): Mutation => ({
  name: `header ${name}`,
  expected,
  apply(draft: DraftLog) {
    change(draft.header as Row)
    return true
  },
})

const set = (key: string, values: readonly unknown[], expected: Expected): readonly Mutation[] =>
  values.map((value) =>
    header(value === undefined ? `without ${key}` : `${key} ${JSON.stringify(value)}`, expected, (row) => {
      if (value === undefined) delete row[key]
      else row[key] = value
    }),
  )

/** After a first line that is no header there must be a log, so that it is not simply another kind of file. */
const firstLine = (name: string, expected: Expected, make: (header: Row) => string): Mutation => ({
  name,
  expected,
  apply(draft: DraftLog) {
    draft.header = make(draft.header as Row)
    return true
  },
})

/** What a missing depth means depends on when the session began. */
function withoutDepth(name: string, createdAt: number, code: FindingCode): Mutation {
  const expected = refused(/first line is not a session header/, code)
  return header(`no delegationDepth, ${name}`, expected, (row) => {
    row.createdAt = createdAt
    delete row.delegationDepth
  })
}

export const headerMutations: readonly Mutation[] = [
  ...set('type', [undefined, 'Session', null], shape),
  ...set('version', [undefined, '0', null], shape),
  ...set('version', [99, 1e21], newer),
  ...set('version', [-1, -0.5], older),
  ...set('version', [0.5], refused(/uses log format v0.5/, 'format/older')),
  ...set('id', [undefined, 7, null], shape),
  ...set('id', [''], refused(/./, 'header/invalid')),
  ...set('createdAt', [undefined, -1, 0.5, '7', null, 2 ** 53], shape),
  withoutDepth('of the builds before the first release', 1_780_000_000_000, 'format/prehistoric'),
  withoutDepth('of a later build', 1_790_000_000_000, 'header/invalid'),
  ...set('delegationDepth', [-1, 0.5, '0', null], shape),
  ...set('origin', ['user', '', null, 7], shape),
  ...set('agentPreset', [7, null, {}], shape),
  ...set('parentSession', [7, null], refused(/parentSession must be a string/, 'header/invalid')),
  ...set('seedLength', [-1, '3', null, 0.5], refused(/seedLength must be/, 'header/invalid')),
  ...set('seedLength', [0, 99_999], 'opens'),
  ...set('cwd', ['demo', './demo', ''], cwdFault),
  ...set('cwd', [7, null, []], refused(/./, 'header/invalid')),
  header('cwd on a drive of Windows', 'opens', (row) => {
    row.cwd = 'C:\\demo'
  }),
  header('cwd on a share of Windows', 'opens', (row) => {
    row.cwd = '\\\\server\\share'
  }),
  ...set('sandboxMode', ['read-only', null], retired),
  ...set('approvalPolicy', ['never'], retired),
  ...set('added', [null, { any: 'thing' }], 'opens'),
  firstLine('createdAt -0', shape, (row) =>
    JSON.stringify({ ...row, createdAt: '-0' }).replace('"-0"', '-0'),
  ),
  firstLine('delegationDepth -0', shape, (row) =>
    JSON.stringify({ ...row, delegationDepth: '-0' }).replace('"-0"', '-0'),
  ),
  firstLine('version -0', 'opens', (row) => JSON.stringify(row).replace('"version":0', '"version":-0')),
  firstLine('seedLength -0', 'opens', (row) =>
    JSON.stringify({ ...row, seedLength: '-0' }).replace('"-0"', '-0'),
  ),
  firstLine('a header in blanks', 'opens', (row) => ` \t${JSON.stringify(row)} \r`),
  firstLine('a broken header', refused(/not valid JSON/, 'header/missing'), (row) =>
    JSON.stringify(row).slice(0, -3),
  ),
  firstLine('a list for a header', refused(/./, 'header/missing'), () => '[]'),
  firstLine('null for a header', refused(/./, 'header/missing'), () => 'null'),
  {
    name: 'a header of format 1 and no events',
    expected: newer,
    apply(draft) {
      const row = draft.header as Row
      row.version = 1
      draft.rows = []
      return true
    },
  },
  {
    name: 'no header: an event comes first',
    expected: refused(/first line is not a session header/, 'header/missing'),
    apply(draft) {
      const first = draft.rows[0]
      if (first === undefined || typeof first === 'string' || first.seq !== 0) return false
      draft.header = first
      draft.rows.shift()
      return true
    },
  },
]
