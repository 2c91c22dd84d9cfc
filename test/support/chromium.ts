/** A real browser, where the machine has one: RESURFACE_CHROMIUM, or where Debian puts it. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PATH = process.env.RESURFACE_CHROMIUM ?? '/usr/bin/chromium'

/** Why there is no browser to test with; `undefined` when there is one. */
export const noChromium = existsSync(PATH) ? undefined : `there is no Chromium at ${PATH}`

/** What a browser does by itself and would be taken for something that a page does. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: PATH, headless: true, args: QUIET })
}
