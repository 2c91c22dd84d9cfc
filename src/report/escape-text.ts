/**
 * Text from a log, made safe for a terminal by showing what would act: control characters, bidirectional overrides
 * and other invisible format characters, and lone surrogates. Nothing is removed: this is evidence.
 */

// C0, DEL, C1; soft hyphen; Arabic and other format marks; zero-width, bidi and invisible operators; interlinear
// and tag characters; line and paragraph separators; byte order mark; lone surrogates.
const UNSAFE =
  /[\0-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu

const SIMPLE = /^[\x20-\x7e]*$/

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

export function escapeText(text: string): string {
  return SIMPLE.test(text) ? text : text.replace(UNSAFE, escapeCharacter)
}

function escapeCharacter(character: string): string {
  const named = NAMED[character]
  if (named !== undefined) return named
  const code = character.codePointAt(0) as number
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}
