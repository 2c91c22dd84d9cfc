/** Logs that show what a page has to show. Times are distinguished by minutes, so that a time line has something to draw. */
import { type LogBuilder, log } from './log-builder.ts'

const MINUTE = 60_000

function usage(input: number, output: number, cacheRead = 0) {
  return { usage: { inputTokens: input, outputTokens: output, cacheReadTokens: cacheRead } }
}

/** Turns with a question, an answer with two calls and a last word. */
export function conversation(turns: number, built: LogBuilder = log()): LogBuilder {
  for (let turn = 1; turn <= turns; turn++) {
    const [run, see] = [`run${built.nextSeq}`, `see${built.nextSeq}`]
    built.turn((within) =>
      within
        .user(`Question ${turn}: what do the tests of part ${turn} say, and is anything slow about them?`)
        .step((step) =>
          step
            .assistant(`I will run the tests of part ${turn}.`, { data: usage(1200 * turn, 80, 900 * turn) })
            .call(run, 'bash', `{"command":"npm test -- part-${turn}","timeout":120000}`)
            .call(see, 'read', `{"path":"src/part-${turn}.ts"}`)
            .result(run, `✓ part ${turn} (${turn + 3} tests)\n`.repeat(20))
            .result(see, `no such file: src/part-${turn}.ts`, { isError: turn % 3 === 0 }),
        )
        .step((step) =>
          step.assistant(`All ${turn + 3} tests pass.\n\nNothing is slow.`, {
            data: usage(1500 * turn, 40, 1200 * turn),
          }),
        ),
    )
  }
  return built
}

/** A context message, thoughts, and two compactions, the second over the first. */
export function compactedTwice(): LogBuilder {
  const built = log()
    .event('session/title', { title: 'Tests of all parts' })
    .user('Be brief. Run things before you talk about them.', { kind: 'agent-instructions' })
  conversation(6, built)
  compact(built, 3, 'The tests of parts 1 to 3 pass.\nNothing was slow.')
  conversation(4, built)
  compact(built, 3, 'The tests of parts 1 to 6 pass.')
  conversation(2, built)
  return apart(built)
}

/** Nodes of a turn of {@link conversation}. */
const NODES = 5

/** Compacts what is after the context: an earlier checkpoint, and so many turns. */
function compact(built: LogBuilder, turns: number, summary: string): void {
  const { surface } = built
  const isFirst = surface.length % NODES === 1
  const last = turns * NODES + (isFirst ? 0 : 1)
  built.compaction(surface[1] as number, surface[last] as number, summary)
}

/** A crash while the second of three calls ran. */
export function crashedInStep(): LogBuilder {
  return apart(
    conversation(2).openTurn((turn) =>
      turn.user('Run the three checks at once.').openStep((step) => {
        step
          .chunk('All three', 'reasoning-delta')
          .assistant('All three at once.', { sources: [step.nextSeq - 1] })
        step.call('a', 'bash', '{"command":"npm test"}').call('b', 'bash', '{"command":"npm run deploy"}')
        step.announce('c', 'bash', '{"command":"npm run lint"}').result('a', '42 passed')
      }),
    ),
  ).torn('{"type":"tool/re')
}

/** A fork that inherited two turns, and went its own way. */
export function forked(): LogBuilder {
  const built = conversation(2)
  const seedLength = built.nextSeq
  built.header({ parentSession: 'session-00000000-0000-4000-8000-00000000000f', seedLength })
  return apart(conversation(2, built.event('session/end-seed', {})))
}

/** A lost event, a line that is no JSON, and a replacement that names nothing. */
export function damaged(): LogBuilder {
  const built = conversation(3).checkpoint(3, 4, { sources: [1] })
  return apart(
    built
      .drop(7)
      .raw('{"type":"user/mess\u0000')
      .turn((turn) => turn.user('Are you still there?')),
  )
}

/** Exactly so many events: whole turns, and log-only events after them. */
export function long(events: number): LogBuilder {
  const built = log()
  while (built.nextSeq + 17 <= events) conversation(1, built)
  while (built.nextSeq < events) built.event('plan/mode', { on: true })
  return built
}

/** Everything that a text could try on a page. */
export const HOSTILE = [
  '</style></title></textarea></pre></details></svg>',
  '<script>window.attacked = 1</script>',
  '<img src="x" onerror="window.attacked = 2">',
  '" onclick="window.attacked = 3" x="',
  "' autofocus onfocus='window.attacked = 4' x='",
  '<a href="javascript:window.attacked = 5">link</a>',
  '<svg onload="window.attacked = 6"><style>body { display: none }</style></svg>',
  '<meta http-equiv="refresh" content="0; url=http://127.0.0.1/">',
  '&lt;b&gt; &#60;script&#62; <!-- --> ]]> {{x}}',
  '\u202eevil\u202c \u2066\u200b\ufeff \x1b[2J \x07 \ud800 \ufffe',
].join('\n')

/** {@link HOSTILE} wherever a log holds text. */
export function hostile(text: string = HOSTILE): LogBuilder {
  const built = log()
    .header({ id: text, cwd: `/${text}`, parentSession: text, seedLength: 2, agentPreset: text })
    .event('session/title', { title: text })
    .user(text, { kind: text })
  built.turn(
    (turn) =>
      turn.user(text).step((step) => {
        step.chunk(text, 'reasoning-delta').assistant(text, { sources: [step.nextSeq - 1] })
        step.call(text, text, text).result(text, text, { isError: true }).announce('never', text, text)
      }),
    { kind: text },
  )
  built.compaction(built.surface[0] as number, built.surface[1] as number, text)
  built.event(text, { [text]: text }).openTurn((turn) => turn.user(text).openStep((step) => step.chunk(text)))
  return built
}

/** The same log with a minute between turns and a second between events. */
function apart(built: LogBuilder): LogBuilder {
  let time = 1_700_000_000_000
  for (const { seq, type } of built.events()) {
    if (typeof seq !== 'number') continue
    time += type === 'turn/start' ? MINUTE : 1000
    const at = time
    built.edit(seq, (row) => ({ ...row, time: at }))
  }
  return built
}
