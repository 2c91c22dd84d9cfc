/** Whether to colour: `--color` over NO_COLOR over FORCE_COLOR over what the terminal is. */
import type { Host } from './host.ts'

export type ColourChoice = 'auto' | 'always' | 'never'

export function colourLevel(choice: ColourChoice, host: Pick<Host, 'env' | 'stdout'>): 0 | 1 | 2 | 3 {
  const { env } = host
  if (choice === 'never') return 0
  if (choice === 'always') return Math.max(terminalLevel(env), 1) as 1 | 2 | 3
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return 0
  const forced = env.FORCE_COLOR
  if (forced !== undefined && forced !== '') {
    if (forced === '0' || forced === 'false') return 0
    return /^[123]$/.test(forced) ? (Number(forced) as 1 | 2 | 3) : 1
  }
  return host.stdout.isTTY === true && env.TERM !== 'dumb' ? terminalLevel(env) : 0
}

function terminalLevel(env: Host['env']): 1 | 2 | 3 {
  if (/^(?:truecolor|24bit)$/i.test(env.COLORTERM ?? '')) return 3
  return /256/.test(env.TERM ?? '') ? 2 : 1
}
