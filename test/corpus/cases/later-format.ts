/** What only formats 2 to 4 can break, and files that look like logs (format.md §2.8, §4.5, §4.6, §5.5). */
import {
  imageBlock,
  type LaterLog,
  type LaterVersion,
  later,
  laterBase,
  textBlock,
} from '../../support/later-log.ts'
import { base } from '../../support/sample-logs.ts'
import { at, type Case, clean, misleading, notALog, refused } from '../case.ts'

const oneStep = (version: LaterVersion, build: (step: LaterLog) => unknown): LaterLog =>
  later(version).turn((turn) => turn.step((step) => build(version > 2 ? step.system() : step)))

const WRAPPER = { type: 'tool-result', toolCallId: 'c', content: [] }
const ITS_TURN = { turn: 1, step: 1 }

/** The recordings of the DSH repository: seqs and times are taken out. */
const SNAPSHOT = Buffer.from(
  base()
    .text()
    .replaceAll(/"seq":\d+,"time":\d+,/g, ''),
)

const STREAM = Buffer.from(
  [
    ...base()
      .events()
      .map((event) => JSON.stringify({ type: 'session_event', sessionId: 's', event })),
    JSON.stringify({ type: 'result', ok: true }),
    '',
  ].join('\n'),
)

/** Two images in a message and one in another. */
const withImages = (): LaterLog =>
  later(4).turn((turn) =>
    turn
      .step((step) => step.system().assistant('ok'))
      .content([textBlock('look'), imageBlock('a'), imageBlock('b')])
      .content([imageBlock('c')]),
  )
const offload = (...targets: readonly { seq: number; imageIndexes: readonly number[] }[]): LaterLog =>
  withImages().event('image/offload', { targets })
const OFFLOADED = 8

export const cases: readonly Case[] = [
  ...([2, 3, 4] as const).map(
    (version): Case => ({
      name: `whole-log-of-format-${version}`,
      why: 'A turn with a tool call, as the writers of the format write it.',
      log: laterBase(version),
      findings: [],
      ...clean,
      nearMissOf: ['message/settlement-invalid', 'surface/sources-embedded', 'format/foreign-shape'],
    }),
  ),

  {
    name: 'format-4-for-a-release-of-format-0',
    why: 'The log is healthy; the release that has to open it does not know the format.',
    log: laterBase(4),
    target: '0.1.1',
    findings: [{ code: 'compatibility/target', line: 1 }],
    ...misleading,
  },
  {
    name: 'format-4-for-its-own-release',
    why: 'It opens.',
    log: laterBase(4),
    target: 'format-4',
    findings: [],
    ...clean,
    nearMissOf: ['compatibility/target'],
  },

  // Look-alikes ----------------------------------------------------------------------------------------------------
  {
    name: 'stream-of-the-command-line',
    why: 'It holds whole events and is no log; the message says how to read it.',
    log: STREAM,
    findings: [{ code: 'format/dialect', line: 1 }],
    ...notALog,
  },
  {
    name: 'stream-of-the-command-line-read-on-request',
    why: 'With --dialect its events are a log.',
    log: STREAM,
    dialect: 'stream-json',
    findings: [],
    ...clean,
    nearMissOf: ['format/dialect'],
  },
  {
    name: 'recording-of-a-test',
    why: 'Its rows have no seqs: it is a recording, and the message says how to read it.',
    log: SNAPSHOT,
    findings: [{ code: 'format/dialect', line: 2 }],
    ...notALog,
  },
  {
    name: 'recording-in-which-no-turn-ends',
    why: 'DSH takes a first row without a seq for a crash tail, and opens a session without events.',
    log: Buffer.from(`${SNAPSHOT.toString().split('\n').slice(0, 3).join('\n')}\n`),
    findings: [{ code: 'format/dialect-dropped', line: 2 }],
    ...misleading,
    nearMissOf: ['format/dialect'],
  },
  {
    name: 'recording-read-on-request',
    why: 'With --dialect the running index is the seq.',
    log: SNAPSHOT,
    dialect: 'snapshot',
    findings: [],
    ...clean,
    nearMissOf: ['format/dialect', 'format/dialect-dropped'],
  },

  // Shapes of other formats ----------------------------------------------------------------------------------------
  {
    name: 'system-prompt-in-the-request-of-format-3',
    why: 'It has become a message of its own.',
    log: oneStep(3, (step) =>
      step.event('request/header', {
        header: { config: { provider: 'p', model: 'm' }, system: 's' },
        reason: 'initial',
      }),
    ),
    findings: [at('format/foreign-shape', 3)],
    ...refused,
  },
  {
    name: 'result-of-format-3-in-format-4',
    why: 'A result is a message of role tool, and no block of a user message.',
    log: laterBase(4).content([WRAPPER]),
    findings: [at('format/foreign-shape', laterBase(4).nextSeq)],
    ...refused,
  },
  {
    name: 'plugin-source-in-format-4',
    why: 'A source names its producer.',
    log: laterBase(4).user('x', { source: { kind: 'plugin', plugin: 'p' } }),
    findings: [at('format/foreign-shape', laterBase(4).nextSeq)],
    ...refused,
  },
  {
    name: 'opaque-block-that-looks-like-none',
    why: 'Only direct blocks of that type are refused.',
    log: laterBase(4).content([{ type: 'plugin:box', content: [WRAPPER] }]),
    findings: [],
    ...clean,
    nearMissOf: ['format/foreign-shape'],
  },

  // Embedded streams -----------------------------------------------------------------------------------------------
  ...([2, 3, 4] as const).flatMap((version): readonly Case[] => [
    {
      name: `answer-of-format-${version}-without-its-stream`,
      why: 'The chunks are no events any more: without the stream they are lost.',
      log: oneStep(version, (step) =>
        step.assistant('hi').edit(step.nextSeq - 1, ({ data, ...row }) => {
          const { stream: _stream, ...rest } = data as { stream?: unknown }
          return { ...row, data: rest }
        }),
      ),
      findings: [at('message/settlement-invalid', version > 2 ? 3 : 2)],
      ...refused,
    },
    {
      name: `answer-of-format-${version}-that-cites-sources`,
      why: 'It embeds its stream, so there is nothing to cite; format 3 calls the row itself damaged.',
      log: oneStep(version, (step) => step.assistant('hi', [], { sources: [0] })),
      findings: [
        version === 3
          ? { code: 'bytes/bad-line', line: 5 }
          : at('surface/sources-embedded', version > 2 ? 3 : 2),
      ],
      ...refused,
    },
  ]),
  {
    name: 'attempt-with-a-stream',
    why: 'An attempt that came to no message keeps what was streamed.',
    log: oneStep(4, (step) => step.event('assistant/attempt', { ...ITS_TURN, stream: [] }).assistant('hi')),
    findings: [],
    ...clean,
    nearMissOf: ['message/settlement-invalid'],
  },

  // Head and images ------------------------------------------------------------------------------------------------
  ...([3, 4] as const).map(
    (version): Case => ({
      name: `system-prompt-of-format-${version}-replaced-by-a-message`,
      why: 'The model would lose its system prompt.',
      log: laterBase(version).user('x', { op: { op: 'replace', startSeq: 2, endSeq: 3 }, sources: [2, 3] }),
      findings: [at('surface/head-protected', laterBase(version).nextSeq)],
      ...refused,
    }),
  ),
  {
    name: 'images-left-out',
    why: 'They are marked in what the model gets, and stay in the log.',
    log: offload({ seq: 5, imageIndexes: [0, 1] }, { seq: 6, imageIndexes: [0] }),
    findings: [{ code: 'vocabulary/newer-type' }],
    ...clean,
    nearMissOf: ['surface/offload-invalid'],
  },
  {
    name: 'image-left-out-that-is-not-there',
    why: 'DSH refuses to say what the model would get.',
    log: offload({ seq: 6, imageIndexes: [1] }),
    findings: [at('surface/offload-invalid', OFFLOADED), { code: 'vocabulary/newer-type', seq: OFFLOADED }],
    ...refused,
  },
  {
    name: 'image-left-out-of-an-answer',
    why: 'Only messages of the user and results hold images that can be left out.',
    log: offload({ seq: 3, imageIndexes: [0] }),
    findings: [at('surface/offload-invalid', OFFLOADED), { code: 'vocabulary/newer-type', seq: OFFLOADED }],
    ...refused,
  },
  {
    name: 'images-left-out-of-two-messages-of-which-one-is-gone',
    why: 'The other one is still meant: a repair keeps the event and takes out what it cannot name, in order.',
    log: offload({ seq: 5, imageIndexes: [1, 0] }, { seq: 2, imageIndexes: [0] }),
    findings: [at('surface/offload-invalid', OFFLOADED), { code: 'vocabulary/newer-type', seq: OFFLOADED }],
    ...refused,
  },
]
