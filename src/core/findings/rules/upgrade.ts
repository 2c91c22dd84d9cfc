/** What releases that get the log by migration have against it, though those of its own format open it. */
import { family, type Worded } from '../rule.ts'

const REFUSED = { type: 'name', path: 'name?', problem: 'text', releases: 'text' } as const

export const UPGRADE = family(
  {
    severity: 'warning',
    layer: 'compatibility',
    fix: 'Keep the session with a release that opens it, or run "resurface repair LOG --target format-4" to see what can be mended.',
    repairable: false,
    upgrade: true,
    source: 'format.md §9.2 to §9.5, §11 C12, C13',
  },
  {
    'upgrade/header': {
      title: 'the header has what a later release does not read',
      why: 'The migrations read exactly the members that the format has.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/row-damaged': {
      title: 'a row that a later release takes for damage, before a turn end',
      why: 'A damaged row after the last turn end is cut off. Before one it refuses the log.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/envelope': {
      title: 'a member of an event outside its data is not what the format has',
      why: 'The readers of the log’s own format may pass over it. The migrations do not.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/unknown-type': {
      title: 'a type of event that no migration knows',
      why: 'Events of types that a migration does not know cannot be taken along, not even ignorable ones.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/early-shape': {
      title: 'an event of an early shape that is not whole',
      why: 'The migration makes today’s events of the shapes of early builds; of this one it cannot.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/member-missing': {
      title: 'a member is missing that later releases want',
      why: 'The log’s own readers do not look for it. The migrations do.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/member-unexpected': {
      title: 'a member that later releases do not take',
      why: 'Readers of the log’s own format take it along. The migrations refuse the whole log because of it.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/member-value': {
      title: 'a member holds what later releases do not take',
      why: 'Readers of the log’s own format do not look into it. The migrations do.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/members-disagree': {
      title: 'members that do not go together for later releases',
      why: 'Readers of the log’s own format do not compare them. The migrations do.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/message-source': {
      title: 'a source of a message that later releases do not know',
      why: 'The list is open to the readers of the format. The migration from format 2 to 3 refuses the whole log because of it.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/source-form': {
      title: 'form and members of a plugin source do not go together',
      why: 'A summary belongs to the form notice, sections to the form snapshot. The migrations refuse anything else.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/content': {
      title: 'content of a message that later releases do not know',
      why: 'Readers of the format take it for opaque. The migration from format 2 to 3 refuses the whole log because of it.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/descriptor': {
      title: 'a subagent descriptor of another version',
      why: 'The migrations know version 3 only.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/reference': {
      title: 'an event names another one that it cannot name in a later format',
      why: 'The migrations number events anew. What an event names must be an earlier event that is still there.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/answer-stream': {
      title: 'an answer that does not cite its own streamed chunks',
      why: 'Format 2 keeps the chunks inside the answer that cites exactly them.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/stream-cut': {
      title: 'an answer that is only partly inherited',
      why: 'Format 2 keeps an answer and its chunks in one event, which is inherited or is not.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/before-first-step': {
      title: 'a message before the first step',
      why: 'Format 3 begins with a system message in the first step; it has no place before that for other messages.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/prompt-change': {
      title: 'the system prompt changes outside a step',
      why: 'Format 3 says the change by a system message, which belongs to a step.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/error-unmarked': {
      title: 'the error of a tool result that is not marked as one',
      why: 'From format 3 on only a result with isError may carry an error.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/closer-id': {
      title: 'the result of a call that never began has another id than its place gives it',
      why: 'Later releases know such results by their id.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/upload-mark': {
      title: 'an upload mark that cannot be of this session',
      why: 'A mark of a later format, or of another session, says what cannot be so.',
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
      title: 'turns and steps that do not follow one another',
      why: 'Later releases check that turns and steps count from 1, one open at a time.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/tool': {
      title: 'tool calls and results that do not belong together',
      why: 'Later releases check that calls are announced, started as announced, and answered before their step ends.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/compaction': {
      title: 'a compaction that is not whole',
      why: 'Later releases check that a compaction begins, summarizes what the model sees, and ends, one at a time.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/surface': {
      title: 'a message that has no place among those that the model sees',
      why: 'Later releases replay what every event does to the messages that the model sees.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/retry': {
      title: 'attempts that do not follow one another',
      why: 'Later releases check that the attempts of a request count from 1 and are started once.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/title': {
      title: 'a title that names what is no message of the user',
      why: 'Later releases check what a title was made from.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/command': {
      title: 'a command that ends without having been run',
      why: 'Later releases pair the start and the end of commands.',
      args: REFUSED,
      message: refusedText,
    },
    'upgrade/dispatch': {
      title: 'dispatches of a tool call that do not belong together',
      why: 'Later releases pair the start and the end of dispatches.',
      args: REFUSED,
      message: refusedText,
    },
  },
)

function refusedText({ type, path, problem, releases }: Worded<typeof REFUSED>): string {
  const what = path === undefined ? type : path.startsWith('header.') ? path : `${path} of ${type}`
  return `${what} ${problem}; refused by ${releases}`
}
