import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HEADER_SHAPE, rowShape } from '../../../src/core/anonymize/event-shapes.ts'
import { HEADER_PATH, neutralJson, type Root } from '../../../src/core/anonymize/neutral-json.ts'
import { Pseudonyms } from '../../../src/core/anonymize/pseudonyms.ts'
import { OPAQUE } from '../../../src/core/anonymize/shape.ts'
import { Tally } from '../../../src/core/anonymize/tally.ts'
import { TimeShift } from '../../../src/core/anonymize/time-shift.ts'

const ANYTHING: Root = { shape: OPAQUE, path: '' }

function neutral(text: string, root: Root = ANYTHING, keep: readonly string[] = []): string {
  return neutralJson(text, root, {
    names: new Pseudonyms((value) => value),
    times: new TimeShift(),
    tally: new Tally(),
    keep: new Set(keep),
    reveal: () => {},
  })
}

const event = (type: string): Root => ({ shape: rowShape(type), path: type })

describe('what no shape speaks of', () => {
  test.each([
    ['{"path": "a/b", "path": 12}', '{"xxxx": "x/x", "xxxx": 10}'],
    ['[true,false,null,0,-7]', '[true,false,null,0,-1]'],
    ['"caf\\u00e9 \\n\\"\\ud83d\\ude80"', '"xxx\\u00d7 \\n\\"\\ud835\\uddd1"'],
    ['"caf\\u00E9"', '"xxx\\u00d7"'],
    ['{"__proto__":{"constructor":1}}', '{"xxxxxxxxx":{"xxxxxxxxxxx":1}}'],
    ['{}', '{}'],
    [' [ ] ', ' [ ] '],
  ])('%s becomes %s', (text, expected) => {
    expect(neutral(text)).toBe(expected)
  })
})

describe('what a shape lets stay', () => {
  test('members, types, structure and words of an event', () => {
    const row =
      '{"type":"turn/end","seq":4,"time":1790000000000,"data":{"turn":2,"reason":{"kind":"error","error":{"message":"no disk","code":"UNKNOWN"}},"acme":2}}'
    expect(neutral(row, event('turn/end'))).toBe(
      '{"type":"turn/end","seq":4,"time":1788220800000,"data":{"turn":2,"reason":{"kind":"error","error":{"message":"xx xxxx","code":"UNKNOWN"}},"xxxx":1}}',
    )
  })

  test('a word stays only where the format enumerates it', () => {
    const row = '{"type":"session/title","data":{"title":"fallback","source":{"kind":"fallback"},"turn":"x"}}'
    expect(neutral(row, event('session/title'))).toBe(
      '{"type":"session/title","data":{"title":"xxxxxxxx","source":{"kind":"fallback"},"xxxx":"x"}}',
    )
  })

  test('structure is numbers; a text in its place goes', () => {
    expect(neutral('{"seq":"secret","sourceEventSeqs":[1,[2,9],"no"]}', event('tool/result'))).toBe(
      '{"seq":"xxxxxx","sourceEventSeqs":[1,[2,9],"xx"]}',
    )
  })

  test('the header', () => {
    const header =
      '{"type":"session","version":0,"id":"ab-1","createdAt":1790000000000,"cwd":"/srv/app","why":"me"}'
    expect(neutral(header, { shape: HEADER_SHAPE, path: HEADER_PATH })).toBe(
      '{"type":"session","version":0,"id":"xx-x","createdAt":1788220800000,"cwd":"/xxx/xxx","xxx":"xx"}',
    )
  })

  test('an unknown type goes, and all that it holds', () => {
    const row = '{"type":"acme/note","seq":1,"data":{"turn":1234,"message":{"role":"user"}}}'
    expect(neutral(row, event('acme/note'))).toBe(
      '{"type":"xxxx/xxxx","seq":1,"data":{"xxxx":1000,"xxxxxxx":{"xxx0":"xxx1"}}}',
    )
  })
})

describe('arguments', () => {
  const call = (text: string): string => {
    const row = JSON.stringify({ type: 'tool/call', data: { arguments: text } })
    return JSON.parse(neutral(row, event('tool/call'))).data.arguments
  }

  test.each([
    ['{"file":"/a/b.ts","lines":[10,20]}', '{"xxxx":"/x/xxxx","xxxxx":[10,11]}'],
    ['{"code":"say(\\"hi\\")\\n"}', '{"xxxx":"xxxx\\"xx\\"x\\n"}'],
    ['', ''],
    ['{', '{'],
    ['{"cut":"in the mid', '{"xxx":"xx xxx xxx'],
    ['{"cut":"in\\u00', '{"xxx":"xx\\u00'],
    ['{"cut":tru', '{"xxx":xxx'],
    ['not JSON 1', 'xxx xxxx 0'],
  ])('%j become %j', (text, expected) => {
    expect(call(text)).toBe(expected)
  })

  test('are JSON when they were', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(isJson(call(text))).toBe(isJson(text))
      }),
    )
  })
})

describe('--keep', () => {
  const row = '{"type":"tool/call","data":{"callId":"c1","name":"bash","more":{"deep":["kept",1]}}}'

  test('one member', () => {
    expect(neutral(row, event('tool/call'), ['tool/call.name'])).toContain('"name":"bash"')
  })

  test('all below a path, through lists', () => {
    const kept = neutral(row, event('tool/call'), ['tool/call.more'])
    expect(kept).toContain('"more":{"deep":["kept",1]}')
    expect(kept).toContain('"name":"xxxx"')
    const text = '{"type":"user/message","data":{"content":[{"type":"text","text":"hello"}]}}'
    expect(neutral(text, event('user/message'), ['user/message.content.text'])).toBe(text)
  })

  test('an event type does not keep its envelope', () => {
    const kept = neutral('{"type":"a/b","data":{"c":1},"d":"secret"}', event('a/b'), ['a/b'])
    expect(kept).toBe('{"type":"x/x","data":{"c":1},"x":"xxxxxx"}')
  })
})

test('any JSON keeps its length and its shape', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5, stringUnit: 'binary' }), (text) => {
      const other = neutral(text)
      expect(Buffer.byteLength(other)).toBe(Buffer.byteLength(text))
      expect(shapeOf(JSON.parse(other))).toEqual(shapeOf(JSON.parse(text)))
    }),
  )
})

test('any bytes of JSON that break off or go wrong keep their length, and no word', () => {
  const words = fc.string({ unit: fc.constantFrom(...'bcdfg'), minLength: 4, maxLength: 9 })
  const rows = fc.record({ type: words, data: fc.dictionary(words, words, { minKeys: 1 }) })
  fc.assert(
    fc.property(rows, fc.nat(), fc.nat(), (row, from, length) => {
      const whole = JSON.stringify(row)
      const start = from % whole.length
      const text = whole.slice(0, start) + whole.slice(start + (length % 20))
      const other = neutral(text, event(row.type))
      expect(other).toHaveLength(text.length)
      expect(other).not.toMatch(/[bcdfg]{4}/)
    }),
  )
})

test('nesting is followed without a stack', () => {
  const depth = 200_000
  const text = `${'['.repeat(depth)}"secret"${']'.repeat(depth)}`
  expect(neutral(text)).toBe(text.replace('secret', 'xxxxxx'))
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return value.length
  if (typeof value === 'number') return Math.sign(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(shapeOf)
  return Object.entries(value)
    .map(([name, member]) => [name.length, shapeOf(member)])
    .map((entry) => JSON.stringify(entry))
    .toSorted()
}
