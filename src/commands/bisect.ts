/** `bisect`: the first event with which a log raises a rule, or with which a command of the user finds it bad. */
import type { Finding } from '../core/findings/finding.ts'
import { FindingLog } from '../core/findings/finding-log.ts'
import { DEFAULT_POLICY } from '../core/findings/policy.ts'
import { type FindingCode, ruleOf } from '../core/findings/rules.ts'
import { firstBad } from '../core/search/first-bad.ts'
import { type JudgedLog, mustBeLog } from '../load/inputs/judged-log.ts'
import { isUnchanged } from '../load/inputs/open-input.ts'
import { firstRaise } from '../load/search/first-raise.ts'
import { prefixSource, recordsOf } from '../load/search/prefix-source.ts'
import { positionOfRecord } from '../load/search/record-position.ts'
import { type LintResults, lintFor, ruleCheck } from '../load/search/rule-check.ts'
import { trialLog } from '../load/search/trial-log.ts'
import { UserCommand } from '../load/search/user-command.ts'
import { withLog } from '../log/open-log.ts'
import { logReport } from '../report/log-report.ts'
import { type ReportData, reportSetOf } from '../report/report.ts'
import { shellWord } from '../report/shell-word.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type CommandContext, defineCommand, LOG_ARGUMENT, type Outcome } from './definition/command.ts'
import { SEARCH_OPTIONS, searchTarget } from './definition/search-target.ts'

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  options: SEARCH_OPTIONS,
  uses: ['reading', 'limit'],
  exits: {
    0: 'no event raises it',
    1: 'the event was found',
    4: 'no event raises it as far as the log could be read, or the log changed while it was searched',
    5: 'refused: no event can be what raises it, or a record cannot be read',
  },
  examples: [
    'resurface bisect session.jsonl --rule pair/result-missing',
    "resurface bisect session.jsonl --exec 'resurface surface {} --quiet'",
  ],
  run: ([path], options, context) => {
    const target = searchTarget(options)
    // The rule was asked for by name: a policy that leaves it out has nothing to say.
    const asked = { ...context, policy: DEFAULT_POLICY }
    const reducers = lintFor(target.kind === 'rule' ? target.code : undefined)
    return withLog(path, asked, async (log) => {
      const loaded = await log.read(reducers)
      const outcome =
        target.kind === 'rule'
          ? await bisectByRule(loaded, target.code, context)
          : await bisectByCommand(loaded, new UserCommand(target.command), context)
      await mustBeUnchanged(loaded)
      return outcome
    })
  },
})

type Loaded = JudgedLog<LintResults>

async function bisectByRule(log: Loaded, code: FindingCode, { limits }: CommandContext): Promise<Outcome> {
  const { source } = log.input
  const whole = ruleCheck(log, code)
  const settles = ruleOf(code).settledLater === true
  if (whole.own.length === 0) {
    mustBeLog(log)
    return outcomeOf(log, [], { rule: code, settles, checks: 1 })
  }
  const { first, checks } = await firstRaise(source, code, limits, whole)
  if (first === undefined) {
    throw new ToolError(
      'refused',
      `${code} is about where ${log.name} lies or what it is called; none of its events raises it`,
      `See: resurface explain ${code}`,
    )
  }
  const { length, method, check, lasts } = first
  return outcomeOf(log, check.own, {
    rule: code,
    settles,
    checks: checks + 1,
    method,
    first: await positionOfRecord(source, length),
    lasts,
  })
}

async function bisectByCommand(
  log: Loaded,
  tester: UserCommand,
  { limits }: CommandContext,
): Promise<Outcome> {
  mustBeLog(log)
  const { source, container } = log.input
  const trial = await trialLog(container, limits)
  try {
    const probe = async (length?: number) => {
      await trial.write(length === undefined ? source : prefixSource(source, length))
      return tester.probe(trial.file)
    }
    const { text: command } = tester
    const whole = await probe()
    if (whole === 'skip')
      throw new ToolError(
        'usage',
        'the command of --exec cannot tell of the whole log, so there is no end to begin at',
      )
    if (whole === 'good') return outcomeOf(log, [], { command, checks: tester.runs })
    // The command may take the header alone for a bad log, but not nothing at all.
    const { good, bad } = await firstBad(0, await recordsOf(source), probe)
    return outcomeOf(log, [], {
      command,
      checks: tester.runs,
      method: 'halving',
      first: await positionOfRecord(source, bad),
      ...(bad - good > 1 && { untold: { from: good + 1, to: bad - 1 } }),
    })
  } finally {
    await trial.remove()
  }
}

/** The report has the findings of the rule where it is first raised, under the verdict on the whole log. */
function outcomeOf(log: Loaded, own: readonly Finding[], data: ReportData<'bisect'>): Outcome {
  const findings = new FindingLog()
  findings.sessionId = log.findings.sessionId
  for (const finding of own) findings.add(finding)
  const reportSet = reportSetOf(logReport('bisect', { ...log, findings }, data))
  if (data.first !== undefined) return { reportSet, exitCode: 1 }
  if (!isPartlyUnchecked(log)) return { reportSet, exitCode: 0 }
  return {
    reportSet,
    exitCode: 4,
    notes: [`${log.name} was not checked fully: resurface check ${shellWord(log.name)}`],
  }
}

function isPartlyUnchecked({ findings }: Loaded): boolean {
  return [...findings.found()].some((code) =>
    ['incomplete', 'unsupported'].includes(ruleOf(code).outcome ?? ''),
  )
}

/** Each prefix was read anew. */
async function mustBeUnchanged({ name, input }: Loaded): Promise<void> {
  if (await isUnchanged(input)) return
  throw new ToolError(
    'unsupported',
    `${name} changed while it was searched`,
    'Run again when the session is idle.',
  )
}
