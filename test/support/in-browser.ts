/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** What tests ask a page. Every function runs in the browser, so it knows nothing but the page and what it is given. */

/** Where what a text of a log started would leave its mark. */
declare global {
  interface Window {
    attacked?: number
  }
}

export function attacked(): number | undefined {
  return window.attacked
}

/** Before the page is loaded: says what its policy refuses. */
export function sayRefusals(): void {
  addEventListener('securitypolicyviolation', (event) => console.error(`refused: ${event.blockedURI}`))
}

export function backgroundOfPage(): string {
  return getComputedStyle(document.body).backgroundColor
}

export function textInFocus(): string | null | undefined {
  return document.activeElement?.textContent
}

export function isInFocus(element: Element): boolean {
  return element === document.activeElement
}

/** Not folded away. */
export function isShown(element: Element): boolean {
  return element.checkVisibility({ contentVisibilityAuto: true })
}

export function openAll(): void {
  for (const folded of document.querySelectorAll('details')) folded.open = true
}

/** Clicks and focuses whatever there is. */
export function touchAll(): void {
  for (const element of document.querySelectorAll('*')) {
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    if (element instanceof HTMLElement || element instanceof SVGElement) element.focus()
  }
}

export function widthOfContent(): number {
  return document.documentElement.scrollWidth
}

export function structure() {
  const all = (selector: string) => [...document.querySelectorAll(selector)]
  const pictures = all('svg:not([aria-hidden])')
  const named = (svg: Element): boolean =>
    svg.getAttribute('role') === 'img' &&
    (svg.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .every((id) => (document.getElementById(id)?.textContent ?? '') !== '')
  return {
    lang: document.documentElement.lang,
    title: document.title,
    headings: all('h1, h2, h3, h4, h5, h6').map(({ tagName }) => Number(tagName[1])),
    ids: all('[id]').map(({ id }) => id),
    landmarks: Object.fromEntries(
      ['header', 'nav', 'main', 'footer'].map((name) => [name, all(`body ${name}`).length]),
    ),
    svgs: pictures.length,
    unnamed: pictures.filter((svg) => !named(svg)).map(({ outerHTML }) => outerHTML),
  }
}

/** Links that lead nowhere, or out of the page. */
export function brokenLinks(): string[] {
  const links = [...document.querySelectorAll('[href]')].map((link) => link.getAttribute('href') ?? '')
  return links.filter((link) => !link.startsWith('#') || document.getElementById(link.slice(1)) === null)
}

/** What could load or run something. */
export function activeParts(): string[] {
  const known =
    'html head meta title style body header main footer nav section article figure figcaption h1 h2 h3 p a span strong code pre ul li dl div dt dd details summary table thead tbody tr th td svg desc path line rect g'
  const parts: string[] = []
  for (const element of document.querySelectorAll('*')) {
    if (!known.split(' ').includes(element.tagName.toLowerCase())) parts.push(element.tagName)
    for (const { name } of element.attributes)
      if (name.startsWith('on') || ['src', 'style', 'action', 'autofocus'].includes(name))
        parts.push(`${element.tagName} ${name}`)
  }
  return parts
}

/** Texts whose colour differs too little from what they are on (WCAG 2, 1.4.3). */
export function lowContrasts(): string[] {
  const channels = (colour: string): number[] => (colour.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = channels(colour).map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const ground = (element: Element | null): string => {
    if (element === null) return 'rgb(255, 255, 255)'
    const { backgroundColor } = getComputedStyle(element)
    return channels(backgroundColor)[3] === 0 ? ground(element.parentElement) : backgroundColor
  }
  const found = new Set<string>()
  for (const element of document.body.querySelectorAll('*')) {
    if (!element.checkVisibility({ contentVisibilityAuto: true })) continue
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.textContent?.trim() !== '',
    )
    if (!hasText || element.namespaceURI !== 'http://www.w3.org/1999/xhtml') continue
    const [text, under] = [getComputedStyle(element).color, ground(element)]
    const [light, dark] = [luminance(text), luminance(under)].toSorted((a, b) => b - a) as [number, number]
    if ((light + 0.05) / (dark + 0.05) < 4.5) found.add(`${element.className}: ${text} on ${under}`)
  }
  return [...found]
}
