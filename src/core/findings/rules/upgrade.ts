/** What releases that get the log by migration have against it, though those of its own format open it. */
import { family, type RuleFacts, type Worded } from '../rule.ts'

/**
 * What the migrations have against an event, beyond what the catalogue of event types says of its members, by the rule.
 * `%` is the part in question. Where a second text is given, refusals of one kind are counted together under it.
 */
export const MIGRATION_FAULTS = {
  envelope: {
    member: 'is a member that an event of this type does not have',
    flag: 'may only be true',
    missing: 'is missing',
    time: 'must be a whole number',
    'negative-zero': 'must not be -0',
  },
  'unknown-type': {
    unknown: [
      'is a type that no migration knows, even where it is ignorable',
      'is a type that no migration knows',
    ],
  },
  'early-shape': {
    'retired-type': 'is vocabulary of early builds that no release takes',
    turn: 'has a turn that is no count',
    'reason-step': 'has a reason with a step that is no count',
    incomplete: 'is of an early shape that is not whole: %',
    retired: 'has %, which no release takes',
  },
  'member-missing': { missing: 'is missing' },
  'member-value': { object: 'must be an object', positive: 'must be a whole number from 1 on' },
  content: { 'nested-result': 'holds a result inside a result' },
  'error-unmarked': { unmarked: 'needs a result that is marked as an error' },
  'closer-id': { form: 'must be interrupted-tool-result-CALL-NUMBER', place: 'does not name its place' },
  'upload-mark': { session: 'is an upload mark of another session', format: 'is an upload mark of format %' },
  reference: {
    'on-answer': 'may not be on an answer',
    empty: 'must not be empty',
    twice: 'names an event twice',
    'not-earlier': 'must name earlier events',
    'end-not-earlier': 'must name an earlier event',
    op: 'must be replace',
    'op-member': 'is no member of a replacement',
    'no-replacement': 'is no replacement',
    chunk: ['names seq %, a streamed chunk that format 2 does not have', 'names a streamed chunk'],
  },
  'answer-stream': {
    missing: 'is missing: the answer must cite its streamed chunks',
    other: 'must name exactly the streamed chunks of the answer, in order',
  },
  'stream-cut': {
    cut: [
      'belongs to an answer that the end of the inherited part cuts in two',
      'belongs to an answer that is only partly inherited',
    ],
  },
  'before-first-step': { message: 'is a message before the first step' },
  'prompt-change': { 'outside-step': 'changes the system prompt outside a step' },
  'seed-marker': { header: 'says that the session is inherited, and the header does not' },
  turn: {
    nested: 'starts a turn while another one is open',
    number: ['starts another turn than turn %', 'starts another turn than the next'],
    'not-open': 'ends a turn that is not open',
    'open-step': 'ends a turn whose step is still open',
    step: 'must open step % of the open turn',
    elsewhere: 'is of a turn and step that are not open',
    outside: 'is outside any turn',
    'rewritten-outside': 'is rewritten outside any turn',
  },
  surface: {
    'no-op': 'has no surfaceOp',
    op: 'has a surfaceOp that is no replacement',
    range: 'replaces messages that the model does not see at that point',
    sources: 'does not cite everything that it replaces',
  },
  tool: {
    twice: ['announces tool call % twice', 'announces a tool call twice'],
    'not-announced': 'starts a tool call that no answer of the step announces: %',
    started: 'starts a tool call a second time: %',
    name: 'starts a tool call under another name than announced: %',
    arguments: 'starts a tool call with other arguments than announced: %',
    'not-waiting': 'answers a tool call that does not wait: %',
    'not-started': 'answers a tool call that was never started: %',
    unanswered: 'leaves a tool call without a result: %',
  },
  dispatch: {
    root: 'changes the root of its dispatch',
    parent: 'has a parent that is not in its tree',
    started: 'starts a dispatch a second time',
    'not-waiting': 'settles a dispatch that does not wait',
    differs: 'differs from the start of its dispatch',
  },
  retry: {
    elsewhere: 'is of another turn and step than the current ones',
    provider: 'names another provider than the latest request header',
    number: 'is not attempt %',
    id: 'has the retryId of another chain of attempts',
    'not-scheduled': 'starts an attempt that was not scheduled',
    moved: 'starts an attempt in another turn and step than scheduled',
    started: 'starts an attempt a second time',
  },
  title: {
    author: 'must be empty for a title of the user, and only there',
    messages: 'must name messages of the user',
    request: 'must be one text of the title plugin',
  },
  command: {
    repeated: 'runs a command that was run before',
    'not-run': 'ends a command that was not run',
    source: 'may name an event only if it succeeded, and none of a command',
  },
  compaction: {
    open: 'starts while another compaction is open',
    'not-open': 'is of a compaction that is not open',
    summarized: 'is a second summary of its compaction',
    'ends-none': 'ends a compaction that is not open',
    turn: 'must name the turn of its start',
    'no-summary': 'ends a compaction without error and without summary',
    'other-turn': 'is of another turn than the open one',
    crossed: 'is inside a compaction that is still open',
    shadowed: 'lists other messages than the model sees in its range',
    checkpoint: 'is the checkpoint of a compaction that is not open',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string | readonly [string, string]>>>>

const REFUSED = { type: 'name', path: 'name?', problem: 'text', releases: 'text' } as const

export const UPGRADE = family(
  {
    severity: 'warning',
    layer: 'compatibility',
    fix: 'Nothing to do while you stay with a release that opens the log. For a later one, run "resurface repair LOG --target format-4" to see what would be changed.',
    repairable: false,
    upgrade: true,
    source: 'format.md §9.2 to §9.5, §11 C12, C13',
  },
  refusals({
    'upgrade/header': {
      title: 'the header has something that later releases refuse',
      why: 'Releases that migrate the log take exactly the members that its format has.',
    },
    'upgrade/row-damaged': {
      title: 'later releases take a record for damage',
      why: 'They drop damage after the last turn end. This is before one, so they refuse the log.',
    },
    'upgrade/envelope': {
      title: 'an event has an envelope that later releases refuse',
      why: 'DSH of the same format passes over it. Releases that migrate the log do not.',
    },
    'upgrade/unknown-type': {
      title: 'an event has a type that no later release knows',
      why: 'A migration cannot carry over events that it does not know, not even ignorable ones.',
    },
    'upgrade/early-shape': {
      title: 'an event of an early shape is incomplete',
      why: 'Migrations bring events of early builds into their present shape. This one lacks what that takes.',
    },
    'upgrade/member-missing': {
      title: 'an event lacks a member that later releases require',
      why: 'DSH of the same format does not need it. Releases that migrate the log do.',
    },
    'upgrade/member-unexpected': {
      title: 'an event has a member that later releases refuse',
      why: 'DSH of the same format keeps it. Releases that migrate the log take exactly the members that its format has.',
    },
    'upgrade/member-value': {
      title: 'a member has a value that later releases refuse',
      why: 'DSH of the same format does not look at it. Releases that migrate the log do.',
    },
    'upgrade/members-disagree': {
      title: 'members of an event contradict each other',
      why: 'DSH of the same format does not compare them. Releases that migrate the log do.',
    },
    'upgrade/message-source': {
      title: 'a message has a source that later releases do not know',
      why: 'DSH takes any source in its own format. The migration from format 2 to 3 refuses the log because of this one.',
    },
    'upgrade/source-form': {
      title: 'the form and the members of a plugin source do not match',
      why: 'A summary belongs to the form notice, sections to the form snapshot. Migrations refuse anything else.',
    },
    'upgrade/content': {
      title: 'a message has content that later releases do not know',
      why: 'DSH takes any content in its own format. The migration from format 2 to 3 refuses the log because of this one.',
    },
    'upgrade/descriptor': {
      title: 'a subagent descriptor has a version that later releases do not know',
      why: 'Migrations know only version 3.',
    },
    'upgrade/reference': {
      title: 'an event refers to one that it cannot refer to in a later format',
      why: 'Migrations renumber the events. What an event refers to must be an earlier event that is still there.',
    },
    'upgrade/answer-stream': {
      title: 'an answer does not cite its own streamed chunks',
      why: 'Format 2 keeps the chunks inside the answer, which has to cite exactly them.',
    },
    'upgrade/stream-cut': {
      title: 'an answer is only partly inherited',
      why: 'Format 2 keeps an answer and its chunks in one event, which is either inherited or not.',
    },
    'upgrade/before-first-step': {
      title: 'a message comes before the first step',
      why: 'Format 3 begins with a system message in the first step. No other message has a place before it.',
    },
    'upgrade/prompt-change': {
      title: 'the system prompt changes outside a step',
      why: 'Format 3 records the change as a system message, which belongs to a step.',
    },
    'upgrade/error-unmarked': {
      title: 'a tool result has an error and is not marked as one',
      why: 'From format 3 on only a result with isError may carry an error.',
    },
    'upgrade/closer-id': {
      title: 'the result of a call that never began has an unexpected id',
      why: 'Later releases recognise such results by their id.',
    },
    'upgrade/upload-mark': {
      title: 'an upload mark does not belong to this session',
      why: 'It names a later format or another session.',
    },
    'upgrade/seed-marker': {
      title: 'the end of the inherited part is not marked as the header says',
      why: 'From format 2 on a marker ends the inherited part.',
    },
    'upgrade/turn': {
      title: 'turns and steps do not follow one another',
      why: 'Later releases check that turns and steps count from 1, one open at a time.',
    },
    'upgrade/tool': {
      title: 'tool calls and results do not match',
      why: 'Later releases check that calls are announced, started as announced, and answered before their step ends.',
    },
    'upgrade/compaction': {
      title: 'a compaction is incomplete',
      why: 'Later releases check that a compaction begins, summarizes what the model sees, and ends, one at a time.',
    },
    'upgrade/surface': {
      title: 'a message does not fit what the model sees',
      why: 'Later releases replay what every event does to the messages that the model sees.',
    },
    'upgrade/retry': {
      title: 'attempts of a request do not follow one another',
      why: 'Later releases check that the attempts of a request count from 1 and are started once.',
    },
    'upgrade/title': {
      title: 'a title names something other than a message of the user',
      why: 'Later releases check what a title was made from.',
    },
    'upgrade/command': {
      title: 'a command ends without having been run',
      why: 'Later releases match the start and the end of every command.',
    },
    'upgrade/dispatch': {
      title: 'the dispatches of a tool call do not match',
      why: 'Later releases match the start and the end of every dispatch.',
    },
  }),
)

/** Rules that say the same of different things. */
function refusals<const Code extends string>(rows: Readonly<Record<Code, Pick<RuleFacts, 'title' | 'why'>>>) {
  const whole = Object.entries<object>(rows).map(([code, row]) => [
    code,
    { ...row, args: REFUSED, message: refusedText },
  ])
  return Object.fromEntries(whole) as {
    readonly [Each in Code]: Pick<RuleFacts, 'title' | 'why'> & {
      readonly args: typeof REFUSED
      readonly message: typeof refusedText
    }
  }
}

function refusedText({ type, path, problem, releases }: Worded<typeof REFUSED>): string {
  const what = path === undefined ? type : path.startsWith('header.') ? path : `${path} of ${type}`
  return `${what} ${problem}; refused by ${releases}`
}
