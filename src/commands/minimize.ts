/** `minimize`: the smallest log that still raises a rule, or that a command of the user still finds bad, as plain JSONL. */
import type { FindingLog } from '../core/findings/finding-log.ts'
import { DEFAULT_POLICY } from '../core/findings/policy.ts'
import type { JudgedLog } from '../load/inputs/judged-log.ts'
import { checkOf, type InterestingnessTest } from '../load/minimize/interestingness.ts'
import { minimizeLines, sizeOf } from '../load/minimize/minimize-lines.ts'
import { writeCopy } from '../load/outputs/writing.ts'
import { storedLines } from '../load/reading/stored-lines.ts'
import { trialLog } from '../load/search/trial-log.ts'
import { UserCommand } from '../load/search/user-command.ts'
import { withLog } from '../log/open-log.ts'
import { logReport } from '../report/log-report.ts'
import { type ReportData, reportSetOf } from '../report/report.ts'
import { shellWord } from '../report/shell-word.ts'
import { namedContainer } from '../storage/detect.ts'
import { fileOf, type MemoryLine, memoryLines } from '../storage/jsonl/memory-lines.ts'
import { plainFile } from '../storage/jsonl/plain-file.ts'
import type { RecordSource } from '../storage/record-source.ts'
import { ToolError } from '../storage/tool-error.ts'
import { writeFileWhole } from '../storage/write-file.ts'
import { type CommandContext, defineCommand, LOG_ARGUMENT, type Outcome } from './definition/command.ts'
import { value, withDefault } from './definition/option.ts'
import { parseCount } from './definition/option-values.ts'
import { SEARCH_OPTIONS, type SearchTarget, searchTarget } from './definition/search-target.ts'

export const command = defineCommand({
  arguments: [['<log>', LOG_ARGUMENT]],
  options: {
    ...SEARCH_OPTIONS,
    time: withDefault(value('<seconds>', parseCount, 'write the best that was found by then'), 60),
  },
  uses: ['reading', 'limit'],
  exits: { 0: 'written, and raises the same', 5: 'refused: no smaller log can be made of it' },
  examples: [
    'resurface minimize session.jsonl --rule surface/start-not-found -o small.jsonl',
    "resurface minimize session.jsonl --exec 'my-reader {}' -o small.jsonl --time 300",
  ],
  writesOutput: true,
  run: ([path], options, context) => {
    const target = searchTarget(options)
    const output = outputOf(context)
    // The rule was asked for by name: a policy that leaves it out has nothing to say.
    return withLog(path, { ...context, policy: DEFAULT_POLICY }, async (log) =>
      minimize(await log.read({}), target, output, options.time, context),
    )
  },
})

function outputOf({ output }: CommandContext): string {
  if (output === undefined) throw new ToolError('usage', 'minimize needs -o FILE')
  if ((namedContainer(output) ?? 'jsonl') !== 'jsonl')
    throw new ToolError('usage', `minimize writes plain JSONL, and ${output} is called otherwise`)
  return output
}

async function minimize(
  log: JudgedLog<unknown>,
  target: SearchTarget,
  output: string,
  seconds: number,
  context: CommandContext,
): Promise<Outcome> {
  const { name, judgement, input } = log
  if (judgement.exitCode === 3 && !isRaised(log.findings, target))
    throw new ToolError('input', `${name} is not a session log`)
  const lines = await linesOf(input.source, name)
  const test = await openTest(target, name, seconds, context)
  try {
    const findings = await test.check(lines)
    mustBeBad(log, target, await test.isBad(lines, findings))
    const small = await minimizeLines(lines, findings, test)
    await writeCopy(output, context, () =>
      writeFileWhole(
        output,
        (file) => file.writeFile(fileOf(small.lines)),
        (written) => mustRaise(written, small.findings, test, context),
      ),
    )
    const data: ReportData<'minimize'> = {
      ...(target.kind === 'rule' ? { rule: target.code } : { command: target.command }),
      output,
      records: { before: lines.length, after: small.lines.length },
      bytes: { before: sizeOf(lines), after: sizeOf(small.lines) },
      checks: small.attempts,
      isComplete: small.isComplete,
    }
    small.findings.sessionId = log.findings.sessionId
    return {
      reportSet: reportSetOf(logReport('minimize', { ...log, findings: small.findings }, data)),
      exitCode: 0,
    }
  } finally {
    await test.close()
  }
}

/** All of them are held, to be put together in ever new ways. */
const MOST_BYTES = 128 * 1024 * 1024

/** Records that cannot be read have no bytes to carry over. */
async function linesOf(source: RecordSource, name: string): Promise<readonly MemoryLine[]> {
  const lines: MemoryLine[] = []
  let size = 0
  for await (const { bytes, ended } of storedLines(source)) {
    if (bytes === undefined) continue
    size += bytes.length + 1
    if (size > MOST_BYTES) {
      throw new ToolError(
        'unsupported',
        `${name} holds more than ${MOST_BYTES / 1024 ** 2} MB, which is more than can be tried in ever new ways`,
        'resurface bisect finds the event; a log that is cut off there will do.',
      )
    }
    lines.push({ bytes, ended })
  }
  return lines
}

interface OpenTest extends InterestingnessTest {
  close(): Promise<void>
}

async function openTest(
  target: SearchTarget,
  name: string,
  seconds: number,
  { limits, now, progress }: CommandContext,
): Promise<OpenTest> {
  const code = target.kind === 'rule' ? target.code : undefined
  const end = now() + seconds * 1000
  progress?.begin({ name, unit: 'attempts' })
  const check = checkOf(code, limits)
  const isTimeUp = (attempts: number): boolean => {
    progress?.reach(attempts)
    return now() >= end
  }
  if (target.kind === 'rule') {
    const isBad = async (_lines: unknown, found: FindingLog): Promise<boolean> => isRaised(found, target)
    return { check, isBad, isTimeUp, close: async () => {} }
  }
  const user = new UserCommand(target.command)
  const trial = await trialLog('jsonl', limits)
  const isBad = async (lines: readonly MemoryLine[]): Promise<boolean> => {
    await trial.write(memoryLines(lines, limits))
    return (await user.probe(trial.file)) === 'bad'
  }
  return { check, isBad, isTimeUp, close: trial.remove }
}

function isRaised(findings: FindingLog, target: SearchTarget): boolean {
  return target.kind === 'rule' && findings.found().has(target.code)
}

function mustBeBad(log: JudgedLog<unknown>, target: SearchTarget, isBad: boolean): void {
  if (isBad) return
  const { name } = log
  if (target.kind === 'command')
    throw new ToolError('usage', `the command of --exec does not find ${name} bad as plain JSONL`)
  const { code } = target
  if (isRaised(log.findings, target)) {
    throw new ToolError(
      'refused',
      `${code} does not come from the lines of ${name}, but from what holds them or where they lie`,
      'A plain log of those lines does not have it.',
    )
  }
  throw new ToolError('usage', `${name} does not raise ${code}`, `See: resurface check ${shellWord(name)}`)
}

async function mustRaise(
  written: string,
  expected: FindingLog,
  test: InterestingnessTest,
  { limits }: CommandContext,
): Promise<void> {
  const lines = await linesOf(plainFile(written, limits), written)
  const found = await test.check(lines)
  if (JSON.stringify(found.counts()) !== JSON.stringify(expected.counts()))
    throw new ToolError('refused', 'the written log does not raise the same, and was removed')
}
