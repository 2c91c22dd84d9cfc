/**
 * The frame of every page: one file that asks for nothing and runs nothing, whatever is in it. A browser holds it to
 * that by the policy in its head.
 */
import { html, type Markup } from './markup.ts'
import { STYLE } from './page-style.ts'

export interface Page {
  readonly title: string
  /** What is above the main part: the heading of the page and the way to its parts. */
  readonly head: Markup
  /** Pieces of the main part, each of them balanced or not: together they are. */
  readonly main: Iterable<Markup>
  readonly foot: Markup
}

export function* renderDocument({ title, head, main, foot }: Page): Iterable<string> {
  yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
  yield `<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n`
  yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
  yield '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
  yield String(html`<title>${title}</title>\n`)
  yield `<style>\n${STYLE}</style>\n</head>\n<body>\n<a class="skip" href="#main">To the content</a>\n`
  yield String(html`<header>\n${head}</header>\n`)
  yield '<main id="main">\n'
  for (const piece of main) yield String(piece)
  yield String(html`</main>\n<footer>\n${foot}</footer>\n`)
  yield '</body>\n</html>\n'
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
