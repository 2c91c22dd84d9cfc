/** What releases that get the log by migration have against it, though those of its own format open it. */
import { family, type Worded } from '../rule.ts'

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
  {
    'upgrade/header': {
      title: 'the header has something that later releases refuse',
      why: 'Releases that migrate the log take exactly the members that its format has.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/row-damaged': {
      title: 'later releases take a record for damage',
      why: 'They drop damage after the last turn end. This is before one, so they refuse the log.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/envelope': {
      title: 'an event has an envelope that later releases refuse',
      why: 'DSH of the same format passes over it. Releases that migrate the log do not.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/unknown-type': {
      title: 'an event has a type that no later release knows',
      why: 'A migration cannot carry over events that it does not know, not even ignorable ones.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/early-shape': {
      title: 'an event of an early shape is incomplete',
      why: 'Migrations bring events of early builds into their present shape. This one lacks what that takes.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/member-missing': {
      title: 'an event lacks a member that later releases require',
      why: 'DSH of the same format does not need it. Releases that migrate the log do.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/member-unexpected': {
      title: 'an event has a member that later releases refuse',
      why: 'DSH of the same format keeps it. Releases that migrate the log take exactly the members that its format has.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/member-value': {
      title: 'a member has a value that later releases refuse',
      why: 'DSH of the same format does not look at it. Releases that migrate the log do.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/members-disagree': {
      title: 'members of an event contradict each other',
      why: 'DSH of the same format does not compare them. Releases that migrate the log do.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/message-source': {
      title: 'a message has a source that later releases do not know',
      why: 'DSH takes any source in its own format. The migration from format 2 to 3 refuses the log because of this one.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/source-form': {
      title: 'the form and the members of a plugin source do not match',
      why: 'A summary belongs to the form notice, sections to the form snapshot. Migrations refuse anything else.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/content': {
      title: 'a message has content that later releases do not know',
      why: 'DSH takes any content in its own format. The migration from format 2 to 3 refuses the log because of this one.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/descriptor': {
      title: 'a subagent descriptor has a version that later releases do not know',
      why: 'Migrations know only version 3.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/reference': {
      title: 'an event refers to one that it cannot refer to in a later format',
      why: 'Migrations renumber the events. What an event refers to must be an earlier event that is still there.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/answer-stream': {
      title: 'an answer does not cite its own streamed chunks',
      why: 'Format 2 keeps the chunks inside the answer, which has to cite exactly them.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/stream-cut': {
      title: 'an answer is only partly inherited',
      why: 'Format 2 keeps an answer and its chunks in one event, which is either inherited or not.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/before-first-step': {
      title: 'a message comes before the first step',
      why: 'Format 3 begins with a system message in the first step. No other message has a place before it.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/prompt-change': {
      title: 'the system prompt changes outside a step',
      why: 'Format 3 records the change as a system message, which belongs to a step.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/error-unmarked': {
      title: 'a tool result has an error and is not marked as one',
      why: 'From format 3 on only a result with isError may carry an error.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/closer-id': {
      title: 'the result of a call that never began has an unexpected id',
      why: 'Later releases recognise such results by their id.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/upload-mark': {
      title: 'an upload mark does not belong to this session',
      why: 'It names a later format or another session.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/seed-marker': {
      title: 'the end of the inherited part is not marked as the header says',
      why: 'From format 2 on a marker ends the inherited part.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/turn': {
      title: 'turns and steps do not follow one another',
      why: 'Later releases check that turns and steps count from 1, one open at a time.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/tool': {
      title: 'tool calls and results do not match',
      why: 'Later releases check that calls are announced, started as announced, and answered before their step ends.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/compaction': {
      title: 'a compaction is incomplete',
      why: 'Later releases check that a compaction begins, summarizes what the model sees, and ends, one at a time.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/surface': {
      title: 'a message does not fit what the model sees',
      why: 'Later releases replay what every event does to the messages that the model sees.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/retry': {
      title: 'attempts of a request do not follow one another',
      why: 'Later releases check that the attempts of a request count from 1 and are started once.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/title': {
      title: 'a title names something other than a message of the user',
      why: 'Later releases check what a title was made from.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/command': {
      title: 'a command ends without having been run',
      why: 'Later releases match the start and the end of every command.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/dispatch': {
      title: 'the dispatches of a tool call do not match',
      why: 'Later releases match the start and the end of every dispatch.',
      args: REFUSED,
      message: refusedText,
    },
  },
)

function refusedText({ type, path, problem, releases }: Worded<typeof REFUSED>): string {
  const what = path === undefined ? type : path.startsWith('header.') ? path : `${path} of ${type}`
  return `${what} ${problem}; refused by ${releases}`
}
