/**
 * Settings of a run, by precedence: an option of the command line, then an environment variable, then the configuration,
 * then the default.
 */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { CommonValues } from '../commands/definition/common-options.ts'
import { DEFAULT_POLICY, type Policy, type RuleSetting } from '../core/findings/policy.ts'
import { type FindingCode, isFindingCode, RULES } from '../core/findings/rules.ts'
import type { FailOn } from '../core/findings/verdict.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value.ts'
import { didYouMean } from '../core/search/similar-words.ts'
import { readBaseline } from '../load/outputs/baseline.ts'
import { reasonOf } from '../storage/reason-of.ts'
import { ToolError } from '../storage/tool-error.ts'
import type { Host } from './host.ts'

interface Settings {
  readonly failOn: FailOn
  readonly failsOnFindings: boolean
  readonly policy: Policy
  readonly baselineFile?: string
  /** What was read for it. */
  readonly files: readonly string[]
  /** Patterns of logs that are left out. */
  readonly exclude: readonly string[]
}

/** @param writesBaseline - the baseline need not be there yet, and must not hide what it shall hold. */
export async function settingsOf(
  flags: Pick<CommonValues, 'failOn' | 'severity' | 'baseline'>,
  writesBaseline: boolean,
  host: Pick<Host, 'env' | 'cwd'>,
): Promise<Settings> {
  const { env } = host
  const config = readConfiguration(host)
  const failOn = failOnNamed(flags.failOn ?? env.RESURFACE_FAIL_ON ?? config.failOn ?? 'error')
  const named = flags.severity.map((text) => {
    const [code = '', setting] = text.split('=')
    return ruleSetting(code, setting)
  })
  const baselineFile = flags.baseline ?? env.RESURFACE_BASELINE ?? config.baseline
  const reads = baselineFile !== undefined && !writesBaseline
  return {
    failOn,
    files: [config.file, reads ? baselineFile : undefined].filter((file) => file !== undefined),
    exclude: config.exclude ?? [],
    failsOnFindings: flags.failOn !== undefined,
    policy: {
      rules: new Map([...(config.rules ?? []), ...named]),
      baseline: reads ? await readBaseline(baselineFile) : DEFAULT_POLICY.baseline,
    },
    ...(baselineFile !== undefined && { baselineFile }),
  }
}

interface Configuration {
  /** Where it stands. */
  readonly file?: string
  readonly failOn?: FailOn
  readonly rules?: ReadonlyMap<FindingCode, RuleSetting>
  readonly baseline?: string
  readonly exclude?: readonly string[]
}

const FILE = 'resurface.json'
const KEYS = ['failOn', 'rules', 'baseline', 'exclude']
const FAIL_ON: readonly string[] = ['error', 'warning', 'info', 'never']
const SETTINGS: readonly string[] = ['error', 'warning', 'info', 'off']

/**
 * The configuration: `resurface.json` in the working directory or the nearest folder above it, or the file that
 * RESURFACE_CONFIG names. What it says is checked here: a key that nobody reads would be a setting that does nothing.
 */
function readConfiguration({ env, cwd }: Pick<Host, 'env' | 'cwd'>): Configuration {
  const path = env.RESURFACE_CONFIG ?? configurationAbove(cwd)
  if (path === undefined) return {}
  try {
    return { file: path, ...configurationOf(parsed(path), dirname(path)) }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    throw new ToolError('usage', `the configuration ${path}: ${error.message}`, error.hint)
  }
}

function configurationAbove(folder: string): string | undefined {
  const path = join(folder, FILE)
  if (existsSync(path)) return path
  const above = dirname(folder)
  return above === folder ? undefined : configurationAbove(above)
}

function parsed(path: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : reasonOf(error)
    throw new ToolError('usage', `it cannot be read: ${reason}`)
  }
  if (isJsonObject(value)) return value
  throw new ToolError('usage', 'it is not a JSON object')
}

/** @param folder - paths in the configuration start here. */
function configurationOf(value: JsonObject, folder: string): Configuration {
  const unknown = Object.keys(value).find((key) => !KEYS.includes(key))
  if (unknown !== undefined)
    throw new ToolError(
      'usage',
      `unknown key "${unknown}"`,
      `${didYouMean(unknown, KEYS)}The keys are ${KEYS.join(', ')}.`,
    )
  const { failOn, rules = {}, baseline, exclude = [] } = value
  if (!isJsonObject(rules))
    throw new ToolError('usage', 'rules must be an object: {"order/seq-gap": "warning"}')
  if (baseline !== undefined && typeof baseline !== 'string')
    throw new ToolError('usage', 'baseline must be a path')
  if (!Array.isArray(exclude) || !exclude.every((each) => typeof each === 'string'))
    throw new ToolError('usage', 'exclude must be a list of patterns: ["archive", "*.old.jsonl"]')
  return {
    exclude: exclude as readonly string[],
    ...(failOn !== undefined && { failOn: failOnNamed(failOn) }),
    rules: new Map(Object.entries(rules).map(([code, setting]) => ruleSetting(code, setting))),
    ...(baseline !== undefined && { baseline: resolve(folder, baseline) }),
  }
}

function failOnNamed(value: JsonValue): FailOn {
  if (typeof value === 'string' && FAIL_ON.includes(value)) return value as FailOn
  throw new ToolError(
    'usage',
    typeof value === 'string' ? `"${value}" is no severity to fail on` : 'failOn must be a severity',
    `It is one of ${FAIL_ON.join(', ')}.`,
  )
}

function ruleSetting(
  code: string,
  setting: JsonValue | undefined,
): readonly [code: FindingCode, setting: RuleSetting] {
  if (!isFindingCode(code)) {
    const meant = didYouMean(code, Object.keys(RULES))
    throw new ToolError(
      'usage',
      `there is no rule "${code}"`,
      `${meant}Run "resurface explain" for the list.`,
    )
  }
  if (typeof setting === 'string' && SETTINGS.includes(setting)) return [code, setting as RuleSetting]
  throw new ToolError(
    'usage',
    `rule ${code}: write ${code}=SEVERITY`,
    `SEVERITY is one of ${SETTINGS.join(', ')}.`,
  )
}
