/**
 * Settings of a run, by precedence: an option of the command line, then an environment variable, then the configuration
 * file (`resurface.json` in the current directory, or the file that RESURFACE_CONFIG names), then the default.
 */
import { existsSync, readFileSync } from 'node:fs'
import { readBaseline } from '../commands/baseline.ts'
import type { CommonValues } from '../commands/definition/common-options.ts'
import { DEFAULT_POLICY, type Policy, type RuleSetting } from '../core/findings/policy.ts'
import { type FindingCode, isFindingCode } from '../core/findings/rules.ts'
import type { FailOn } from '../core/findings/verdict.ts'
import { isJsonObject, type JsonObject } from '../core/json/json-value.ts'
import { ToolError } from '../storage/tool-error.ts'
import type { Host } from './host.ts'

export interface Settings {
  readonly failOn: FailOn
  readonly policy: Policy
  readonly baselineFile?: string
}

const CONFIG_FILE = 'resurface.json'
const FAIL_ON: readonly string[] = ['error', 'warning', 'info', 'never']
const SEVERITIES: readonly string[] = ['error', 'warning', 'info', 'off']

/** @param writesBaseline - the baseline need not be there yet, and must not hide what it shall hold. */
export async function settingsOf(
  flags: Pick<CommonValues, 'failOn' | 'rule' | 'baseline'>,
  writesBaseline: boolean,
  env: Host['env'],
): Promise<Settings> {
  const config = readConfig(env)
  const failOn = flags.failOn ?? env.RESURFACE_FAIL_ON ?? config.failOn ?? 'error'
  if (typeof failOn !== 'string' || !FAIL_ON.includes(failOn)) {
    throw new ToolError(
      'usage',
      `"${String(failOn)}" is no severity to fail on`,
      `It is one of ${FAIL_ON.join(', ')}.`,
    )
  }
  const baselineFile = flags.baseline ?? env.RESURFACE_BASELINE ?? config.baseline
  if (baselineFile !== undefined && typeof baselineFile !== 'string')
    throw new ToolError('usage', 'baseline must be a path')
  const rules = new Map<FindingCode, RuleSetting>()
  const configured = isJsonObject(config.rules) ? Object.entries(config.rules) : []
  const named = flags.rule.map((text) => text.split('=') as [string, string])
  for (const [code, severity] of [...configured, ...named]) setRule(rules, code, severity)
  const reads = baselineFile !== undefined && !writesBaseline
  const baseline = reads ? await readBaseline(baselineFile) : DEFAULT_POLICY.baseline
  return {
    failOn: failOn as FailOn,
    policy: { rules, baseline },
    ...(baselineFile !== undefined && { baselineFile }),
  }
}

function setRule(rules: Map<FindingCode, RuleSetting>, code: string, severity: unknown): void {
  if (!isFindingCode(code))
    throw new ToolError('usage', `there is no rule "${code}"`, 'Run "resurface explain" for the list.')
  if (typeof severity !== 'string' || !SEVERITIES.includes(severity)) {
    throw new ToolError(
      'usage',
      `rule ${code}: write ${code}=SEVERITY`,
      `SEVERITY is one of ${SEVERITIES.join(', ')}.`,
    )
  }
  rules.set(code, severity as RuleSetting)
}

function readConfig(env: Host['env']): JsonObject {
  const named = env.RESURFACE_CONFIG
  const path = named ?? CONFIG_FILE
  if (named === undefined && !existsSync(path)) return {}
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isJsonObject(value)) return value
  } catch (error) {
    throw new ToolError(
      'usage',
      `cannot read the configuration ${path}: ${error instanceof Error ? error.message : error}`,
    )
  }
  throw new ToolError('usage', `the configuration ${path} is no JSON object`)
}
