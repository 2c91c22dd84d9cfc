/** `find`: where a text was said, over any number of sessions, and whether the model still sees it there. */
import { existsSync } from 'node:fs'
import { findText, type Hit } from '../core/search/find-text.ts'
import { SKIPS_STREAMS } from '../load/inputs/judged-log.ts'
import { InputOpener } from '../load/inputs/open-input.ts'
import type { LogInput } from '../load/inputs/resolve-inputs.ts'
import { isLogName } from '../load/inputs/store-layout.ts'
import { withOpened } from '../log/open-log.ts'
import type { ListItem } from '../report/main-list.ts'
import { plural } from '../report/number-text.ts'
import { reportSetOf } from '../report/report.ts'
import { shellWord } from '../report/shell-word.ts'
import { ToolError } from '../storage/tool-error.ts'
import { type CommandContext, defineCommand, type Outcome } from './definition/command.ts'
import { flag, type ValuesOf, value, withDefault } from './definition/option.ts'
import { parseLimit } from './definition/option-values.ts'
import { REDACTION, redacting } from './definition/redaction.ts'
import { namedLogs, worstExitCode } from './many-logs/each-log.ts'
import { failedInput } from './many-logs/one-input.ts'

const OPTIONS = {
  regex: flag('TEXT is a regular expression'),
  ignoreCase: flag('take capital and small letters as the same', { letter: 'i' }),
  toolOutput: flag('search what tools gave back, too'),
  limit: withDefault(value('<n>', parseLimit, 'most hits to show; 0 for all'), 100),
  all: flag('short for --limit 0', { conflicts: ['limit'] }),
  ...REDACTION,
}

type FindOptions = ValuesOf<typeof OPTIONS>

export const command = defineCommand({
  arguments: [
    ['<text>', 'what to look for'],
    ['[logs...]', 'logs, stores, folders or databases; the store of DSH when none is named'],
  ],
  options: OPTIONS,
  uses: ['reading', 'inputs'],
  exits: { 0: 'the text was found', 1: 'nothing was found' },
  examples: [
    'resurface find "the api key" session.jsonl',
    'resurface find -i timeout ~/.dsh/sessions --tool-output',
    'resurface find --regex "port \\d+" sessions.db --format ndjson',
  ],
  notes: [
    'It looks in messages of users, context that plugins add, answers, arguments of tool calls, summaries of compactions, and the errors that ended turns.',
  ],
  run: async ([text, logs], options, context) => {
    if (logs.length === 0 && context.list.filesFrom === undefined && isLogName(text))
      mustNotBeSwapped(text, ['TEXT'])
    const finding = new Finding(patternOf(text, options), options, await redacting(context, options))
    return {
      ...finding.end(),
      live: { schema: 'resurface/find@1', items: finding.items(text, logs), end: () => finding.end() },
    }
  },
})

function patternOf(text: string, { regex, ignoreCase }: FindOptions): RegExp {
  if (text === '') throw new ToolError('usage', 'there is nothing to look for')
  const source = regex ? text : text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  try {
    return new RegExp(source, ignoreCase ? 'iu' : 'u')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ToolError('usage', reason, 'Without --regex the text is taken as it is.')
  }
}

/** What was named is no log that can be read, and the text is one. */
function mustNotBeSwapped(text: string, names: readonly string[]): void {
  if (!existsSync(text)) return
  const command = ['resurface find', ...[names.join(' '), text].map(shellWord)].join(' ')
  throw new ToolError('usage', 'the text comes before the log', `Did you mean: ${command}`)
}

const NO_PROMISE = 'secrets are replaced; what no rule recognises stays: docs/redact.md'

/** One search, from the first session to the last. */
class Finding {
  readonly #pattern: RegExp
  readonly #options: FindOptions
  readonly #context: CommandContext
  readonly #failures: string[] = []
  readonly #codes: number[] = []
  #text = ''
  #sessions = 0
  #withHits = 0
  #hits = 0
  #more = false
  #isRedacted = false

  constructor(pattern: RegExp, options: FindOptions, context: CommandContext) {
    this.#pattern = pattern
    this.#options = options
    this.#context = context
  }

  async *items(text: string, names: readonly string[]): AsyncIterable<ListItem<'find'>> {
    this.#text = text
    const context = this.#context
    const opener = new InputOpener(context)
    try {
      const { inputs, problems } = await namedLogs(names, context)
      if (inputs.length === 0 && problems[0] !== undefined) throw problems[0].error
      for (const { path, error } of problems) this.#failed(error, path)
      context.progress?.expect(inputs.map(({ path }) => path))
      for (const named of inputs) {
        if (this.#more) return
        context.progress?.next(named.path)
        const logs = await opener.expand(named).catch((error: unknown) => this.#failed(error, named.name))
        for (const input of logs) if (!this.#more) yield* await this.#search(input, opener)
      }
      if (this.#sessions === 0 && this.#codes.length > 0) mustNotBeSwapped(text, names)
    } finally {
      await opener.close()
    }
  }

  async #search(input: LogInput, opener: InputOpener): Promise<readonly ListItem<'find'>[]> {
    const { limit, all, toolOutput } = this.#options
    const most = all || limit === 0 ? Number.POSITIVE_INFINITY : limit - this.#hits
    const search = findText({ pattern: this.#pattern, toolOutput, most })
    try {
      return await withOpened(opener, input, this.#context, async (log) => {
        this.#isRedacted ||= log.input.marks !== undefined
        const { header, judgement, results } = await log.read({ search }, SKIPS_STREAMS)
        const { hits, more } = results.search
        if (judgement.exitCode === 3) this.#codes.push(3)
        this.#sessions++
        this.#hits += hits.length
        if (hits.length > 0) this.#withHits++
        this.#more = more
        const session = header?.id ?? ''
        return hits.map((hit: Hit) => ({ path: log.name, session, ...hit }))
      })
    } catch (error) {
      return this.#failed(error, input.name)
    }
  }

  #failed(error: unknown, path: string): [] {
    const { message, exitCode } = failedInput(error, path)
    this.#failures.push(message)
    this.#codes.push(exitCode === 70 ? exitCode : 3)
    return []
  }

  /** What would look further, when nothing was found. */
  #wider(): string {
    const { toolOutput, ignoreCase } = this.#options
    const unsearched = toolOutput ? '' : '; what tools gave back was not searched (--tool-output)'
    return ignoreCase ? unsearched : `; capital and small letters differ (--ignore-case)${unsearched}`
  }

  /** What the search has come to so far. */
  end(): Outcome<'find'> {
    const hits = plural(this.#hits, 'hit')
    const where = `in ${this.#withHits} of ${plural(this.#sessions, 'session')}`
    const rest = this.#more ? '; there are more: --all shows them' : this.#hits === 0 ? this.#wider() : ''
    const data = {
      text: this.#text,
      hits: [],
      sessions: this.#sessions,
      sessionsWithHits: this.#withHits,
      more: this.#more,
    }
    return {
      reportSet: reportSetOf({ schema: 'resurface/find@1', findings: [], data }),
      exitCode: worstExitCode([...this.#codes, this.#hits === 0 ? 1 : 0]),
      notes: [`${hits} ${where}${rest}`, ...(this.#isRedacted ? [NO_PROMISE] : [])],
      failures: this.#failures,
    }
  }
}
