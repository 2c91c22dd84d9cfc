/** Lines, line ends and encodings. */
import { log } from '../../support/log-builder.ts'
import { base, rich, twoTurns } from '../../support/sample-logs.ts'
import { at, type Case, clean, mended, misleading, notALog, refused } from '../case.ts'

/** {@link base} with something between the user message and the step. */
function between(line: string | Buffer) {
  return log().turn((turn) =>
    turn
      .user('list files')
      .raw(line)
      .step((step) => step.assistant('done')),
  )
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le')
}

function indented(lines: readonly Buffer[]): string {
  return JSON.stringify(
    lines.map((line) => JSON.parse(String(line))),
    null,
    2,
  )
}

const [row5 = '', row6 = '', row7 = ''] = base().text().split('\n').slice(6, 9)

export const cases: readonly Case[] = [
  {
    name: 'archive-with-a-log-in-it',
    why: 'It may hold a log, which nobody can see before it is unpacked.',
    log: Buffer.from('PK\x03\x04\x14\0\0\0\b\0session.jsonl'),
    findings: [{ code: 'bytes/not-a-log' }],
    ...notALog,
  },
  {
    name: 'empty-file',
    why: 'A writer has just created it: empty, not corrupt.',
    log: Buffer.alloc(0),
    findings: [{ code: 'bytes/empty-file', line: 1 }],
    ...notALog,
  },
  {
    name: 'header-only',
    why: 'A session without events is a session.',
    log: log(),
    findings: [],
    ...clean,
    nearMissOf: ['bytes/empty-file', 'header/missing', 'bytes/not-a-log'],
  },
  {
    name: 'text-file',
    why: 'Some other file was named.',
    log: Buffer.from('dear diary,\nnothing happened\n'),
    findings: [{ code: 'bytes/not-a-log', line: 1 }],
    ...notALog,
    exampleOf: ['bytes/not-a-log'],
  },
  {
    name: 'other-json-lines',
    why: 'JSON lines of another program are no log, whatever else could be said about them.',
    log: Buffer.from('{"level":"info"}\n{"level":"warn"}\n'),
    findings: [{ code: 'bytes/not-a-log', line: 1 }],
    ...notALog,
  },
  {
    name: 'line-feed-only',
    why: 'A file of blank lines holds no session.',
    log: Buffer.from('\n\n'),
    findings: [{ code: 'bytes/not-a-log', line: 1 }],
    ...notALog,
  },
  {
    name: 'torn-tail',
    why: 'A crash cut the last write.',
    log: base().torn('{"type":"turn/sta'),
    findings: [{ code: 'bytes/torn-tail', line: 11 }],
    ...mended,
  },
  {
    name: 'last-line-feed-missing',
    why: 'A record is complete only with its line feed, so DSH drops the turn end and closes the turn itself.',
    log: base().bytes().subarray(0, -1),
    findings: [at('turn/open', 0), { code: 'bytes/torn-tail', line: 10 }],
    ...mended,
  },
  {
    name: 'trailing-nul-bytes',
    why: 'A crashed file system leaves the promised length filled with zeros.',
    log: base().torn(Buffer.alloc(1728)),
    findings: [{ code: 'bytes/torn-tail', line: 11 }],
    ...mended,
  },
  {
    name: 'whole-log',
    why: 'Parallel calls, packed rows, a prune, nested compactions and an end-seed: nothing to complain about.',
    log: rich(),
    findings: [],
    ...clean,
    nearMissOf: ['bytes/torn-tail', 'bytes/bad-line', 'bytes/bad-tail-line', 'order/tail-break'],
  },
  {
    name: 'garbage-line',
    why: 'DSH refuses the log, because a turn end follows.',
    log: between('%%%'),
    findings: [{ code: 'bytes/bad-line', line: 4 }],
    ...refused,
    nearMissOf: ['bytes/bad-tail-line'],
    exampleOf: ['bytes/bad-line'],
  },
  {
    name: 'blank-line',
    why: 'In format 0 a blank line is garbage.',
    log: between(''),
    findings: [{ code: 'bytes/bad-line', line: 4 }],
    ...refused,
  },
  {
    name: 'null-line',
    why: 'DSH crashes on it; it is an unreadable line.',
    log: between('null'),
    findings: [{ code: 'bytes/bad-line', line: 4 }],
    ...refused,
  },
  {
    name: 'malformed-packed-row',
    why: 'A packed row that cannot be expanded counts as an unreadable line.',
    log: between('{"type":"text-chunks","seq0":2,"time0":0,"data":{}}'),
    findings: [{ code: 'bytes/bad-line', line: 4 }],
    ...refused,
  },
  {
    name: 'spliced-line',
    why: 'A torn write, and the next row glued to it: that row is whole and is read, the torn one is lost.',
    log: Buffer.from(base().text().replace(`${row6}\n`, row6.slice(0, 16))),
    findings: [
      { code: 'pair/result-missing', seq: 4, causedBy: 'bytes/spliced-line' },
      { code: 'pair/surface-call-alone', seq: 4, causedBy: 'pair/result-missing' },
      { code: 'bytes/spliced-line', line: 8 },
      { code: 'order/seq-gap', seq: 7, line: 8, causedBy: 'bytes/spliced-line' },
    ],
    ...refused,
  },
  {
    name: 'torn-then-written-again',
    why: 'The write was torn and done again in full after the torn part: nothing is lost.',
    log: Buffer.from(
      base()
        .text()
        .replace(row6, `${row6.slice(0, 40)}${row6}`),
    ),
    findings: [{ code: 'bytes/spliced-line', line: 8 }],
    ...refused,
  },
  {
    name: 'two-rows-on-one-line',
    why: 'The line feed between two rows is missing: DSH refuses, and both rows are there.',
    log: Buffer.from(base().text().replace(`${row6}\n${row7}`, `${row6}${row7}`)),
    findings: [{ code: 'bytes/spliced-line', line: 8 }],
    ...refused,
  },
  {
    name: 'three-rows-on-one-line',
    why: 'With a comma and a carriage return between them: all three are there.',
    log: Buffer.from(base().text().replace(`${row5}\n${row6}\n${row7}`, `${row5},${row6}\r${row7}`)),
    findings: [{ code: 'bytes/spliced-line', line: 7 }],
    ...refused,
  },
  {
    name: 'a-row-quoted-inside-a-string',
    why: 'Text that looks like the beginning of a row is text.',
    log: log().turn((turn) =>
      turn.user('{"type":"step/end","seq":7}{"type":"').step((step) => step.assistant('done')),
    ),
    findings: [],
    ...clean,
    nearMissOf: ['bytes/spliced-line'],
  },
  {
    name: 'raw-line-feed-in-a-string',
    why: 'A tool rewrote the file and lost an escape: the two halves make the record.',
    log: Buffer.from(base().text().replace('list files', 'list\nfiles')),
    findings: [{ code: 'bytes/split-line', line: 4 }],
    ...refused,
  },
  {
    name: 'raw-line-feeds-in-a-string',
    why: 'A text has several lines, one of them blank: all parts make the record.',
    log: Buffer.from(base().text().replace('list files', 'list\n\nfiles\n[now]')),
    findings: [{ code: 'bytes/split-line', line: 6 }],
    ...refused,
  },
  {
    name: 'escaped-line-feed-in-a-string',
    why: 'The escape is where it belongs.',
    log: Buffer.from(base().text().replace('list files', 'list\\nfiles')),
    findings: [],
    ...clean,
    nearMissOf: ['bytes/split-line'],
  },
  {
    name: 'nul-padding-before-a-row',
    why: 'A crash left a hole in the file: the row after it is intact.',
    log: Buffer.concat([
      Buffer.from(base().text().split(row6)[0] as string),
      Buffer.alloc(512),
      Buffer.from(row6 + (base().text().split(row6)[1] as string)),
    ]),
    findings: [{ code: 'bytes/nul-padding', line: 8 }],
    ...refused,
  },
  {
    name: 'only-nul-bytes',
    why: 'The power went before the data reached the disk.',
    log: Buffer.alloc(413),
    findings: [{ code: 'bytes/only-nuls', line: 1 }],
    ...refused,
    nearMissOf: ['bytes/not-a-log', 'bytes/empty-file'],
  },
  {
    name: 'only-nul-bytes-in-a-compressed-name',
    why: 'NUL bytes are no other container than the name says.',
    log: Buffer.alloc(2048),
    file: 'session.jsonl.zstd',
    findings: [{ code: 'bytes/only-nuls', line: 1 }],
    ...refused,
    nearMissOf: ['bytes/container-name'],
  },
  {
    name: 'nul-bytes-before-the-first-event',
    why: 'What follows the NUL bytes is there.',
    log: Buffer.concat([Buffer.alloc(512), Buffer.from('\n'), base().bytes()]),
    findings: [{ code: 'header/missing', line: 1 }],
    ...refused,
    nearMissOf: ['bytes/only-nuls'],
  },
  {
    name: 'escaped-nul-in-a-string',
    why: 'An escaped NUL is text.',
    log: Buffer.from(base().text().replace('list files', '\\u0000list')),
    findings: [],
    ...clean,
    nearMissOf: ['bytes/nul-padding'],
  },
  {
    name: 'nul-bytes-before-a-record',
    why: 'A run of zeros in front of a good record makes the line unreadable.',
    log: between(Buffer.concat([Buffer.alloc(512), Buffer.from('{"type":"plan/mode"}')])),
    findings: [{ code: 'bytes/bad-line', line: 4 }],
    ...refused,
  },
  {
    name: 'garbage-at-the-end',
    why: 'After the last turn end DSH takes it for a crash tail.',
    log: base().raw('%%%'),
    findings: [{ code: 'bytes/bad-tail-line', line: 11 }],
    ...mended,
    nearMissOf: ['bytes/bad-line', 'order/rows-dropped'],
  },
  {
    name: 'null-at-the-end',
    why: 'DSH crashes on it; as an unreadable line it is a crash tail.',
    log: base().raw('null'),
    findings: [{ code: 'bytes/bad-tail-line', line: 11 }],
    ...mended,
  },
  {
    name: 'garbage-then-valid-rows',
    why: 'No turn end follows, so DSH silently drops the good rows after the bad line.',
    log: base().raw('%%%').user('lost').user('lost too'),
    findings: [
      { code: 'bytes/bad-tail-line', line: 11 },
      { code: 'order/rows-dropped', seq: 9, causedBy: 'bytes/bad-tail-line' },
    ],
    ...misleading,
  },
  {
    name: 'garbage-then-torn-tail',
    why: 'Both are said, and the second as a consequence.',
    log: base().raw('%%%').torn('{"type":'),
    findings: [
      { code: 'bytes/bad-tail-line', line: 11 },
      { code: 'bytes/torn-tail', line: 12, causedBy: 'bytes/bad-tail-line' },
    ],
    ...mended,
  },
  {
    name: 'record-over-the-limit-at-the-end',
    why: 'What was not read was not checked: the answer is incomplete, not damaged.',
    log: twoTurns().event('plan/mode', { note: 'x'.repeat(2000) }),
    maxRecord: 1000,
    findings: [{ code: 'bytes/line-too-long', line: 17 }],
    verdict: 'incomplete',
    exitCode: 4,
    opens: true,
  },
  {
    name: 'record-at-the-limit',
    why: 'The limit itself is allowed.',
    log: base(),
    maxRecord: Math.max(
      ...base()
        .lines()
        .map((line) => line.length),
    ),
    findings: [],
    ...clean,
    nearMissOf: ['bytes/line-too-long'],
  },
  {
    name: 'byte-order-mark',
    why: 'An editor added it, and DSH no longer takes the first line for JSON.',
    log: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), base().bytes()]),
    findings: [{ code: 'bytes/byte-order-mark', line: 1 }],
    ...refused,
  },
  {
    name: 'utf-16',
    why: 'A redirection in PowerShell or an editor saved the log as UTF-16.',
    log: Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(base().text())]),
    findings: [{ code: 'bytes/utf-16', line: 1 }],
    ...refused,
  },
  {
    name: 'utf-16-big-endian-without-a-mark-and-torn',
    why: 'It is told by its first characters, and what is wrong with the log in it is said as of any other.',
    log: utf16(base().torn('{"type":"turn/sta').text()).swap16(),
    findings: [
      { code: 'bytes/utf-16', line: 1 },
      { code: 'bytes/torn-tail', line: 11 },
    ],
    ...refused,
  },
  {
    name: 'one-array',
    why: 'A tool has put all records into one JSON array.',
    log: Buffer.from(`[${base().lines().join(',')}]`),
    findings: [{ code: 'bytes/layout', line: 1 }],
    ...refused,
  },
  {
    name: 'an-indented-array-in-utf-16-with-a-gap',
    why: 'Every fault of the encoding, the layout and the log is said.',
    log: Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(indented(base().lines().toSpliced(4, 1)))]),
    findings: [
      { code: 'bytes/utf-16', line: 1 },
      { code: 'bytes/layout', line: 1 },
      { code: 'order/seq-gap', seq: 4, line: 5 },
    ],
    ...refused,
  },
  {
    name: 'records-over-lines-with-a-mark',
    why: 'A formatter writes every record over many lines, and an editor adds a byte order mark.',
    log: Buffer.from(
      `\ufeff${base()
        .lines()
        .map((line) => JSON.stringify(JSON.parse(String(line)), null, '\t'))
        .join('\r\n')}`,
    ),
    findings: [
      { code: 'bytes/byte-order-mark', line: 1 },
      { code: 'bytes/layout', line: 1 },
    ],
    ...refused,
  },
  {
    name: 'one-indented-record',
    why: 'Somebody looked at a record with a formatter and saved it: nothing of it is lost, and the rows around it are compact.',
    log: Buffer.from(
      base()
        .text()
        .replace(row6, JSON.stringify(JSON.parse(row6), null, 2)),
    ),
    findings: [{ code: 'bytes/layout', line: 8 }],
    ...refused,
  },
  {
    name: 'line-feeds-between-tokens',
    why: 'A row is wrapped where it has no blanks inside strings, two rows after each other.',
    log: Buffer.from(
      base()
        .text()
        .replace(row6, row6.replaceAll(/,"/g, ',\n"'))
        .replace(row7, row7.replace('{"turn', '{\n"turn')),
    ),
    findings: [
      { code: 'bytes/layout', line: 8 },
      { code: 'bytes/layout', line: 8 + row6.split(',"').length },
    ],
    ...refused,
  },
  {
    name: 'an-indented-record-after-a-torn-one',
    why: 'The torn one is no part of it.',
    log: Buffer.from(
      base()
        .text()
        .replace(`${row6}\n${row7}`, `${row6.slice(0, 40)}\n${JSON.stringify(JSON.parse(row7), null, 1)}`),
    ),
    findings: [
      { code: 'pair/result-missing', seq: 4, causedBy: 'bytes/bad-line' },
      { code: 'pair/surface-call-alone', seq: 4, causedBy: 'pair/result-missing' },
      { code: 'bytes/bad-line', line: 8 },
      { code: 'bytes/layout', line: 9 },
      { code: 'order/seq-gap', seq: 7, causedBy: 'bytes/bad-line' },
    ],
    ...refused,
  },
  {
    name: 'an-indented-record-at-the-end',
    why: 'DSH drops it with the tail, and a repair keeps it.',
    log: Buffer.from(
      twoTurns()
        .text()
        .replace(/.*\n$/, (line) => `${JSON.stringify(JSON.parse(line), null, 2)}\n`),
    ),
    findings: [
      { code: 'turn/open', seq: 9, line: 11 },
      { code: 'bytes/bad-tail-line', line: 16 },
    ],
    ...mended,
  },
  {
    name: 'marks-around-records',
    why: 'A comma, a byte order mark, brackets: what an editor or a copy leaves around rows that are whole.',
    log: Buffer.from(base().text().replace(row6, `${row6},`).replace(row7, `[\ufeff${row7}]`)),
    findings: [
      { code: 'bytes/layout', line: 8 },
      { code: 'bytes/layout', line: 9 },
    ],
    ...refused,
  },
  {
    name: 'a-record-in-an-array',
    why: 'The line is JSON, and the row is in it; the next one is in two arrays.',
    log: Buffer.from(base().text().replace(row6, `[${row6}]`).replace(row7, `[[${row7}]]`)),
    findings: [
      { code: 'bytes/layout', line: 8 },
      { code: 'bytes/layout', line: 9 },
    ],
    ...refused,
  },
  {
    name: 'a-record-in-a-string',
    why: 'A tool has encoded the row twice, and the next one three times.',
    log: Buffer.from(
      base()
        .text()
        .replace(row6, JSON.stringify(row6))
        .replace(row7, JSON.stringify(JSON.stringify(row7))),
    ),
    findings: [
      { code: 'bytes/layout', line: 8 },
      { code: 'bytes/layout', line: 9 },
    ],
    ...refused,
  },
  {
    name: 'blanks-around-a-record',
    why: 'Readers of JSON pass over them.',
    log: Buffer.from(base().text().replace(row6, ` \t${row6}  `)),
    findings: [],
    ...clean,
    nearMissOf: ['bytes/layout'],
  },
  {
    name: 'commas-after-records',
    why: 'Lines that were copied out of an array keep their commas.',
    log: Buffer.from(`${base().lines().join(',\n')},\n`),
    findings: [{ code: 'bytes/layout', line: 1 }],
    ...refused,
    exampleOf: ['bytes/layout'],
  },
  {
    name: 'an-array-that-is-cut-off',
    why: 'What is whole before the end stays.',
    log: Buffer.from(indented(base().lines()).slice(0, -40)),
    findings: [
      { code: 'bytes/layout', line: 1 },
      { code: 'turn/open', seq: 0, line: 2 },
      { code: 'bytes/torn-tail', line: 10 },
    ],
    ...refused,
  },
  {
    name: 'an-array-of-something-else',
    why: 'Other JSON in an array is no log.',
    log: Buffer.from('[{"level":"info"},{"level":"warn"}]'),
    findings: [{ code: 'bytes/not-a-log', line: 1 }],
    ...notALog,
    nearMissOf: ['bytes/layout'],
  },
  {
    name: 'utf-16-of-something-else',
    why: 'A text of another kind is no log in any encoding.',
    log: utf16('dear diary\n'),
    findings: [{ code: 'bytes/not-a-log', line: 1 }],
    ...notALog,
    nearMissOf: ['bytes/utf-16'],
  },
  {
    name: 'byte-order-mark-in-text',
    why: 'Inside a message it is a character like any other.',
    log: log().user('\ufeffhi'),
    findings: [],
    ...clean,
    nearMissOf: ['bytes/byte-order-mark'],
  },
  {
    name: 'bytes-that-are-not-utf8',
    why: 'Every reader shows U+FFFD in their place without saying so.',
    log: Buffer.from(log().user('caf\xff').text(), 'latin1'),
    findings: [{ code: 'bytes/invalid-utf8', line: 2 }],
    ...mended,
  },
  {
    name: 'lone-surrogate',
    why: 'Escaped, it is valid JSON and has to survive as it is; a provider may refuse it.',
    log: Buffer.from(log().user('ok X').text().replace('X', '\\ud83d')),
    findings: [{ code: 'bytes/lone-surrogate', line: 2 }],
    ...mended,
    nearMissOf: ['bytes/invalid-utf8'],
  },
  {
    name: 'escaped-surrogate-pair',
    why: 'Both halves are there, as one character.',
    log: Buffer.from(log().user('ok X').text().replace('X', '\\ud83d\\ude80')),
    findings: [],
    ...clean,
    nearMissOf: ['bytes/lone-surrogate'],
  },
  {
    name: 'member-twice-in-one-object',
    why: 'Readers take the last one; nobody sees the other.',
    log: Buffer.from(log().user('hi').text().replace('"role":"user"', '"role":"system","role":"user"')),
    findings: [{ code: 'bytes/duplicate-member', line: 2 }],
    ...mended,
  },
  {
    name: 'member-once-in-each-object',
    why: 'The same name in two objects, and as a text.',
    log: Buffer.from(
      log()
        .event('plan/mode', [{ a: 'a' }, { a: { a: 'a' } }])
        .text()
        .replace('"a"', ' "a"'),
    ),
    findings: [],
    ...clean,
    nearMissOf: ['bytes/duplicate-member'],
  },
  {
    name: 'number-out-of-range',
    why: 'It is read as infinity.',
    log: Buffer.from(log().event('plan/mode', { n: 'N' }).text().replace('"N"', '1e400')),
    findings: [{ code: 'bytes/number-changed', line: 2 }],
    ...mended,
  },
  {
    name: 'whole-number-that-changes',
    why: 'It is read as its even neighbour, which is as long as it is.',
    log: Buffer.from(log().event('plan/mode', { n: 'N' }).text().replace('"N"', '9007199254740993')),
    findings: [{ code: 'bytes/number-changed', line: 2 }],
    ...mended,
  },
  {
    name: 'numbers-in-other-spellings',
    why: 'They are read as what they say.',
    log: Buffer.from(
      log().event('plan/mode', { n: 'N' }).text().replace('"N"', '[1.0,1E2,-0,0.10,1152921504606846976]'),
    ),
    findings: [],
    ...clean,
    nearMissOf: ['bytes/number-changed'],
  },
  {
    name: 'record-of-600-levels',
    why: 'Programs that follow it by recursion may run out of stack.',
    log: Buffer.from(
      log()
        .event('plan/mode', { n: 'N' })
        .text()
        .replace('"N"', ` ${'['.repeat(600)}${']'.repeat(600)}`),
    ),
    findings: [{ code: 'bytes/deep-nesting', line: 2 }],
    ...mended,
  },
  {
    name: 'record-of-100-levels',
    why: 'Every program can follow it.',
    log: Buffer.from(
      log()
        .event('plan/mode', { n: 'N' })
        .text()
        .replace('"N"', ` ${'['.repeat(100)}${']'.repeat(100)}`),
    ),
    findings: [],
    ...clean,
    nearMissOf: ['bytes/deep-nesting'],
  },
  {
    name: 'carriage-returns',
    why: 'A tool has rewritten the file; DSH reads it.',
    log: Buffer.from(base().text().replaceAll('\n', '\r\n')),
    findings: [{ code: 'bytes/crlf', line: 2 }],
    ...clean,
  },
  {
    name: 'carriage-return-inside-a-record',
    why: 'Between two members it is JSON whitespace, not a line end.',
    log: Buffer.from(base().text().replaceAll(',"seq"', ',\r"seq"')),
    findings: [],
    ...clean,
    nearMissOf: ['bytes/crlf'],
  },
  {
    name: 'unicode-line-separators',
    why: 'U+2028, U+2029 and U+0085 are characters; only LF ends a line.',
    log: log().user('a\u2028b\u2029c\u0085d'),
    findings: [],
    ...clean,
  },
]
