/**
 * Settings of a run, by precedence: an option of the command line, then an environment variable, then the configuration,
 * then the default.
 */
import type { CommonValues } from '../commands/definition/common-options.ts'
import { DEFAULT_POLICY, type Policy } from '../core/findings/policy.ts'
import type { FailOn } from '../core/findings/verdict.ts'
import { readBaseline } from '../load/outputs/baseline.ts'
import { failOnNamed, readConfiguration, ruleSetting } from './configuration.ts'
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
