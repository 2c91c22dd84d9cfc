/**
 * Pages in a real browser: they show what they should, ask for nothing, run nothing, and can be read by everybody.
 * RESURFACE_SCREENSHOTS names a folder for pictures of what the browser shows, for anyone who wants to look.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noChromium, startChromium } from '../../support/chromium.ts'
import {
  activeParts,
  attacked,
  backgroundOfPage,
  brokenLinks,
  isInFocus,
  isShown,
  lowContrasts,
  openAll,
  sayRefusals,
  structure,
  textInFocus,
  touchAll,
  widthOfContent,
} from '../../support/in-browser.ts'
import {
  compactedTwice,
  crashedInStep,
  damaged,
  forked,
  HOSTILE,
  hostile,
  long,
} from '../../support/page-logs.ts'
import { runMain } from '../../support/run-main.ts'
import { tempDir, tempFile } from '../../support/temp-dir.ts'
import { describeUnlessMissing } from '../../support/unless-missing.ts'

const LOGS = {
  'compacted twice': () => compactedTwice().bytes(),
  'crashed in a parallel step': () => crashedInStep().bytes(),
  forked: () => forked().bytes(),
  damaged: () => damaged().bytes(),
  '20,000 events': () => long(20_000).bytes(),
  hostile: () => hostile().bytes(),
} as const

type LogName = keyof typeof LOGS

const NAMES = Object.keys(LOGS) as LogName[]

const PHONE = { viewport: { width: 375, height: 800 } }
const DESK = { viewport: { width: 1280, height: 900 } }

describeUnlessMissing(noChromium, 'in a browser', () => {
  let browser: Browser
  let server: Server
  const pages = new Map<string, string>()
  const asked: string[] = []

  beforeAll(async () => {
    browser = await startChromium()
    server = createServer((request, response) => {
      asked.push(request.url ?? '')
      const content = pages.get(request.url ?? '')
      response.writeHead(content === undefined ? 404 : 200, { 'content-type': 'text/html' })
      response.end(content)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    for (const name of NAMES) pages.set(pathOf(name), await reportOn(LOGS[name]()))
  })

  afterAll(async () => {
    await browser.close()
    await new Promise((resolve) => server.close(resolve))
  })

  function urlOf(path: string): string {
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  }

  /** Opens a page, and fails when it does anything but show itself. */
  async function visit(
    url: string,
    options: BrowserContextOptions,
    look: (page: Page) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext(options)
    const trouble: string[] = []
    const requests: string[] = []
    context.on('request', (request) => requests.push(request.url()))
    await context.addInitScript(sayRefusals)
    const page = await context.newPage()
    page.on('console', (message) => trouble.push(message.text()))
    page.on('pageerror', (error) => trouble.push(error.message))
    page.on('dialog', (dialog) => trouble.push(dialog.message()))
    asked.length = 0
    await page.goto(url, { waitUntil: 'load' })
    await look(page)
    expect(page.url().split('#')[0]).toBe(url)
    expect(context.pages()).toHaveLength(1)
    expect(await page.evaluate(attacked)).toBeUndefined()
    expect(trouble).toEqual([])
    expect(requests).toEqual([url])
    await context.close()
  }

  async function picture(page: Page, name: string): Promise<void> {
    const folder = process.env.RESURFACE_SCREENSHOTS
    if (folder === undefined) return
    mkdirSync(folder, { recursive: true })
    const fullPage = !name.startsWith('20,000')
    await page.screenshot({ path: join(folder, `${name.replaceAll(/\W+/g, '-')}.png`), fullPage })
  }

  test.each(NAMES)('a log that is %s: nothing is asked for, and everybody can read it', async (name) => {
    await visit(urlOf(pathOf(name)), DESK, async (page) => {
      expect(asked).toEqual([pathOf(name)])
      await isWellBuilt(page)
      const grounds = new Set<string>()
      for (const [device, { viewport }] of Object.entries({ desk: DESK, phone: PHONE })) {
        await page.setViewportSize(viewport)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await picture(page, `${name} ${device} ${colorScheme}`)
          // What is folded in the long one is the same over and over.
          if (name !== '20,000 events') await page.evaluate(openAll)
          expect(await page.evaluate(widthOfContent)).toBeLessThanOrEqual(viewport.width)
          expect(await page.evaluate(lowContrasts)).toEqual([])
          grounds.add(await page.evaluate(backgroundOfPage))
        }
      }
      expect(grounds.size).toBe(2)
    })
  })

  test('a text of a log is shown, and does nothing', async () => {
    await visit(urlOf(pathOf('hostile')), DESK, async (page) => {
      await page.evaluate(openAll)
      await page.evaluate(touchAll)
      const text = (await page.locator('body').textContent()) ?? ''
      for (const line of HOSTILE.split('\n').slice(0, -1)) expect(text).toContain(line)
      expect(text).toContain('\\u202eevil\\u202c \\u2066\\u200b\\ufeff \\x1b[2J \\x07 \\ud800 \\ufffe')
      expect(text).not.toMatch(/[\p{Bidi_Control}\p{Cs}]/u)
    })
  })

  test('the keyboard reaches what is folded, and opens it', async () => {
    await visit(urlOf(pathOf('compacted twice')), DESK, async (page) => {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(textInFocus)).toBe('To the content')
      const folded = page.locator('details.tool > summary').first()
      for (let presses = 0; presses < 200; presses++) {
        await page.keyboard.press('Tab')
        if (await folded.evaluate(isInFocus)) break
      }
      expect(await page.locator('details.tool').first().getAttribute('open')).toBeNull()
      await page.keyboard.press('Enter')
      expect(await page.locator('details.tool').first().getAttribute('open')).toBe('')
    })
  })

  test('on paper what is folded is open', async () => {
    await visit(urlOf(pathOf('compacted twice')), DESK, async (page) => {
      const result = page.locator('details.tool:not([open]) pre').first()
      const shown = () => result.evaluate(isShown)
      expect(await shown()).toBe(false)
      await page.emulateMedia({ media: 'print' })
      expect(await shown()).toBe(true)
      expect(await page.locator('nav').isVisible()).toBe(false)
    })
  })

  test.each(['check', 'info', 'surface', 'transcript', 'repair'])('%s as a page', async (command) => {
    const { stdout } = await runMain([command, tempFile(damaged().bytes()), '--format', 'html'])
    const file = join(tempDir(), 'page.html')
    writeFileSync(file, stdout)
    await visit(pathToFileURL(file).href, PHONE, async (page) => {
      await picture(page, `page ${command}`)
      await page.evaluate(openAll)
      expect(await page.evaluate(widthOfContent)).toBeLessThanOrEqual(375)
      expect(await page.evaluate(lowContrasts)).toEqual([])
      expect(await page.evaluate(activeParts)).toEqual([])
    })
  })
})

async function isWellBuilt(page: Page): Promise<void> {
  const { lang, title, headings, ids, landmarks, unnamed, svgs } = await page.evaluate(structure)
  expect(lang).toBe('en')
  expect(title).not.toBe('')
  expect(headings.filter((level) => level === 1)).toHaveLength(1)
  for (const [index, level] of headings.entries())
    expect(level).toBeLessThanOrEqual((headings[index - 1] ?? 0) + 1)
  expect(new Set(ids).size).toBe(ids.length)
  expect(landmarks).toEqual({ header: 1, nav: 1, main: 1, footer: 1 })
  expect(svgs).toBeGreaterThan(2)
  expect(unnamed).toEqual([])
  expect(await page.evaluate(brokenLinks)).toEqual([])
  expect(await page.evaluate(activeParts)).toEqual([])
}

function pathOf(name: LogName): string {
  return `/${encodeURIComponent(name)}.html`
}

async function reportOn(log: Buffer): Promise<string> {
  const { stdout } = await runMain(['report', '-'], { input: log })
  return stdout
}
