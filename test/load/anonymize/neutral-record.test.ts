/** One record at a time: what a reader puts together stays together, and what is broken is broken as it was. */
import { describe, expect, test } from 'vitest'
import type { Neutralizer } from '../../../src/core/anonymize/neutral-json.ts'
import { Pseudonyms } from '../../../src/core/anonymize/pseudonyms.ts'
import { Tally } from '../../../src/core/anonymize/tally.ts'
import { TimeShift } from '../../../src/core/anonymize/time-shift.ts'
import { streamDisagreement } from '../../../src/core/event/embedded-stream.ts'
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value.ts'
import { brokenLine, joinedLines, parsedBytes } from '../../../src/load/anonymize/neutral-record.ts'
import { mendLine } from '../../../src/load/reading/mend-line.ts'

function neutralizer(): Neutralizer {
  const names = new Pseudonyms((text) => text)
  return { names, times: new TimeShift(), tally: new Tally(), keep: new Set(), reveal: () => {} }
}

const broken = (text: string | Buffer): string =>
  brokenLine(Buffer.from(text), neutralizer()).toString('latin1')

/** An answer of format 2: its blocks are what the records of its stream add up to. */
function answer(texts: readonly string[], args: readonly string[]): JsonObject {
  const run = { time0: 1_790_000_000_000, dt: texts.slice(1).map(() => 3) }
  return {
    type: 'assistant/message',
    data: {
      message: {
        content: [
          { type: 'text', text: texts.join('') },
          { type: 'tool-call', id: 'c1', name: 'bash', arguments: args.join('') },
        ],
      },
      stream: [
        { type: 'text-chunks', ...run, index: 0, texts: [...texts] },
        {
          type: 'chunk',
          time: 1,
          chunk: { type: 'tool-call-delta', index: 1, id: 'c1', name: 'bash', argumentsDelta: args[0] ?? '' },
        },
        { type: 'tool-call-chunks', ...run, index: 1, id: 'c1', name: 'bash', args: args.slice(1) },
      ],
    },
  }
}

test.each<[texts: string[], args: string[]]>([
  [
    ['Let ', 'me ', 'look.'],
    ['{"pa', 'th":"/s', 'rv/a"}'],
  ],
  [
    ['größ', 'er 🚀', ' x'],
    ['{"n":1', '23,"ok":tr', 'ue}'],
  ],
  [
    ['same', 'same'],
    ['not ', 'JSON'],
  ],
])('a stream still adds up to its answer: %j %j', (texts, args) => {
  const row = answer(texts, args)
  const bytes = Buffer.from(JSON.stringify(row))
  const neutral = parsedBytes(bytes, row, neutralizer())
  expect(neutral).toHaveLength(bytes.length)
  const { data } = JSON.parse(neutral.toString()) as { data: JsonObject & { stream: JsonValue[] } }
  expect(
    streamDisagreement((row.data as { stream: JsonValue[] }).stream, row.data as JsonObject),
  ).toBeUndefined()
  expect(streamDisagreement(data.stream, data)).toBeUndefined()
  expect(neutral.toString()).not.toMatch(/look|same|path|bash|größ|JSON/)
})

test('pieces that stay because they were asked for leave the others in their places', () => {
  const row = answer(['Let ', 'me ', 'look.'], ['{"pa', 'th":"/s', 'rv/a"}'])
  const keep = new Set(['assistant/message.stream.texts'])
  const neutral = parsedBytes(Buffer.from(JSON.stringify(row)), row, { ...neutralizer(), keep })
  const { message, stream } = JSON.parse(neutral.toString()).data
  expect(stream[0].texts).toEqual(['Let ', 'me ', 'look.'])
  expect([stream[1].chunk.argumentsDelta, ...stream[2].args].join('')).toBe(message.content[1].arguments)
})

describe('a line that does not parse', () => {
  test.each([
    ['{"type":"turn/start","seq":3,"data":{"tu', '{"type":"turn/start","seq":3,"data":{"xx'],
    ['{"type":"acme/x","seq":3,"ti', '{"type":"xxxx/x","seq":3,"xx'],
    [
      '{"type":"session","version":0,"id":"my-id","cwd":"/ho',
      '{"type":"session","version":0,"id":"xx-xx","cwd":"/xx',
    ],
    ['%%% broken 42', '%%% xxxxxx 00'],
    ['\0\0{"a":"bcd"}\0', '\0\0{"x":"xxx"}\0'],
    ['', ''],
  ])('%j becomes %j', (text, neutral) => {
    expect(broken(text)).toBe(neutral)
  })

  test('keeps a byte order mark, and is read after it', () => {
    const line = Buffer.from('\ufeff{ "type":"session","version":0,"id":"abc"}')
    expect(brokenLine(line, neutralizer()).toString()).toBe(
      '\ufeff{ "type":"session","version":0,"id":"xxx"}',
    )
  })

  test('a splice is cut where it was', () => {
    const half = '{"type":"user/message","seq":1,"data":{"content":[{"type":"text","text":"hel'
    const whole = '{"type":"turn/end","seq":2,"time":0,"data":{"turn":1,"reason":{"kind":"completed"}}}'
    const neutral = Buffer.from(broken(half + whole), 'latin1')
    expect(mendLine(neutral)).toMatchObject({ code: 'bytes/spliced-line', lostBytes: half.length })
    expect(neutral.toString()).toBe(half.replace('hel', 'xxx') + whole)
  })

  test('no byte above ASCII stays where it is no UTF-8', () => {
    const neutral = brokenLine(Buffer.from('{"a":"caf\xe9 \xc3\xa9"', 'latin1'), neutralizer())
    expect(neutral.toString('latin1')).toBe('{"x":"xxx\xff \xff\xff"')
  })

  test('lines that are one record are taken as one', () => {
    const lines = ['{"type":"todo/write","data":{"todos":[{"content":"buy', 'milk",', '"a":1}]}}'].map(
      asBytes,
    )
    const feeds = ['\\n', '\n', '']
    const joined = lines.map((line, index) => Buffer.concat([line, asBytes(feeds[index] ?? '')]))
    const neutral = ['{"type":"todo/write","data":{"todos":[{"content":"xxx', 'xxxx",', '"x":1}]}}']
    expect(joinedLines(lines, joined, neutralizer())?.map(String)).toEqual(neutral)
    expect(joinedLines(lines, [...lines, asBytes('}')], neutralizer())).toBeUndefined()
  })
})

function asBytes(text: string): Buffer {
  return Buffer.from(text)
}
