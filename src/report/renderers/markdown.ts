/**
 * Sections as Markdown. Text from a log is put in code spans or fences, never as markup: a log must not be able to
 * draw a heading, link out or load a picture in whatever shows the document.
 */
import { escapeText } from '../escape-text.ts'
import { type Cell, type Section, textOf } from '../section.ts'
import { excerptLines } from './excerpt.ts'

export function* renderMarkdown(sections: Iterable<Section>): Iterable<string> {
  let first = true
  for (const section of sections) {
    if (!first) yield '\n'
    first = false
    yield* renderSection(section)
  }
}

function* renderSection(section: Section): Iterable<string> {
  switch (section.kind) {
    case 'heading':
      yield `## ${plain(section.text)}\n`
      break
    case 'fields':
      for (const [label, value] of section.rows) yield `- **${plain(label)}**: ${plain(textOf(value))}\n`
      break
    case 'table':
    case 'rows': {
      yield `| ${section.columns.map((column) => plain(column.label)).join(' | ')} |\n`
      yield `|${section.columns.map((column) => (column.align === 'right' ? '--:' : '---')).join('|')}|\n`
      for (const row of section.rows) yield `| ${row.map(cellText).join(' | ')} |\n`
      break
    }
    case 'list':
      // What is indented belongs to the item before it.
      for (const item of section.items)
        yield textOf(item).replace(/^( *)(.*)$/s, (_, indent, text) => `${indent}- ${plain(text)}\n`)
      break
    case 'entries':
      for (const { heading, body } of section.entries) {
        yield `\n### ${plain(heading)}\n`
        if (body !== undefined && body !== '') yield `\n${fenced(body)}`
      }
      break
    case 'excerpt':
      yield `${plain(section.title)}\n`
      if (section.lines.length > 0) yield `\n${fenced(excerptLines(section).join('\n'))}`
      break
    case 'code':
      yield fenced(section.text)
  }
}

function cellText(cell: Cell): string {
  return plain(textOf(cell))
}

/** Text that reads as itself: every character that Markdown or HTML would act on is escaped. */
function plain(text: string): string {
  return escapeText(text)
    .replace(/[\\`*_{}[\]()#+!|~-]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/:\/\//g, ':\u200b//')
    .replace(/\\-/g, '-')
}

function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const lines = text.split('\n').map((line) => escapeText(line.replace(/\t/g, '    ')))
  return `${fence}text\n${lines.join('\n')}\n${fence}\n`
}
