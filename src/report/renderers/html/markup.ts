/**
 * The one place where text becomes HTML. A {@link Markup} comes from the template below and from nowhere else, and what
 * the template is given is escaped unless it is one: a text of a log cannot make an element or an attribute. Attribute
 * values are in double quotes. Control, bidirectional and invisible characters are shown as their escape.
 */
import { escapeText } from '../../escape-text.ts'

export class Markup {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  static of(strings: TemplateStringsArray, values: readonly Content[]): Markup {
    let text = strings[0] as string
    for (const [index, value] of values.entries()) text += written(value) + strings[index + 1]
    return new Markup(text)
  }

  /** Text of several lines: line feeds stay what they are, tabs become spaces. */
  static lines(text: string): Markup {
    return new Markup(text.split('\n').map(lineOf).join('\n'))
  }

  toString(): string {
    return this.#text
  }
}

/** What a template may contain. `false` and `undefined` are nothing. */
export type Content = Markup | string | number | false | undefined | readonly Markup[]

export function html(strings: TemplateStringsArray, ...values: Content[]): Markup {
  return Markup.of(strings, values)
}

export const lines = Markup.lines

function written(value: Content): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Markup) return value.toString()
  if (typeof value === 'object') return value.join('')
  return escaped(String(value))
}

function lineOf(line: string): string {
  return escaped(line.replace(/\t/g, '    '))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Noncharacters are an error in HTML, so they are shown as their escape, too. */
function escaped(text: string): string {
  return escapeText(text)
    .replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
    .replace(/[\ufdd0-\ufdef\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
}
