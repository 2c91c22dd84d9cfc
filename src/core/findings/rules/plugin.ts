/** What later releases think of a log: only when it is asked for. */
import { family } from '../rule.ts'

export const PLUGIN = family(
  {
    severity: 'warning',
    layer: 'compatibility',
    repairable: false,
    lint: true,
    source: 'format.md §4.1, §9.4; only with --profile plugin',
  },
  {
    'plugin/ignorable-type': {
      title: 'an ignorable event type of a plugin, which no migration takes',
      why: 'DSH skips it in its own format. The migrations from formats 0 and 2 refuse the whole log because of it.',
      fix: 'Keep the state of the plugin outside the log, or say in its release notes that its logs cannot be migrated.',
      source: 'format.md §9.2, §9.4; only with --profile plugin',
      args: { type: 'name', count: 'count' },
      message: (a) => `event type ${a.type} is ignorable, and no migration knows it${timesText(a.count)}`,
    },
    'plugin/extra-member': {
      title: 'a member that is not among the fixed ones',
      why: 'DSH keeps it in its own format. The migrations from formats 0 and 2 refuse the whole log because of it.',
      fix: 'Write the member into an event or a store of your own.',
      source: 'format.md §4, §9.2, §9.4; only with --profile plugin',
      args: { member: 'name', what: 'name', count: 'count' },
      message: (a) => `${a.member} is no member of ${a.what}${timesText(a.count)}`,
    },
    'plugin/undeclared-source': {
      title: 'a message source that is not declared',
      why: 'DSH takes any source in its own format. The migration from format 2 to 3 refuses the whole log because of this one.',
      fix: 'Use the source kind plugin with the name of the plugin in formats 0 to 3, and a kind plugin:NAME in format 4.',
      args: { what: 'name', count: 'count' },
      message: (a) => `message source ${a.what} is on no list${timesText(a.count)}`,
    },
    'plugin/source-form': {
      title: 'the form and the members of a plugin source do not match',
      why: 'DSH does not check it in its own format. The migrations from formats 0 and 2 refuse the whole log because of it.',
      fix: 'Give a summary with the form notice only, and sections with the form snapshot only.',
      source: 'format.md §4.1, §9.2; only with --profile plugin',
      args: { what: 'name', count: 'count' },
      message: (a) => `plugin source with ${a.what}${timesText(a.count)}`,
    },
    'plugin/undeclared-content': {
      title: 'a content block that is not declared',
      why: 'DSH takes any block in its own format. The migration from format 2 to 3 refuses the whole log because of this one.',
      fix: 'Write it as text, or keep it outside the messages.',
      args: { what: 'name', count: 'count' },
      message: (a) => `content block ${a.what} is on no list${timesText(a.count)}`,
    },
  },
)

export const COMPATIBILITY = family(
  {},
  {
    'compatibility/target': {
      title: 'the release that was asked for refuses the log',
      severity: 'error',
      layer: 'compatibility',
      why: 'Nothing need be wrong with the log: the release does not know something that it holds.',
      fix: 'Open the session with a release that takes it, or run "resurface repair LOG --target format-4" to see what can be changed.',
      repairable: false,
      source: 'format.md §9',
      args: { release: 'text', what: 'name', count: 'count' },
      message: (a) => `${a.release} refuses the log: ${a.what}${a.count === 1 ? '' : ` (${a.count} times)`}`,
    },
  },
)

function timesText(count: number): string {
  return count > 1 ? ` (${count} times)` : ''
}
