/**
 * Text from a log, made safe for a terminal by showing what would act: control characters, bidirectional overrides
 * and other invisible format characters, and lone surrogates. Nothing is removed: this is evidence.
 */

// Control and format characters, line and paragraph separators, lone surrogates, and the plane of invisible tags.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u{e0000}-\u{e0fff}]/gu

const SIMPLE = /^[\x20-\x7e]*$/

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

export function escapeText(text: string): string {
  return replaceUnsafe(text, escapeCharacter)
}

/** Replaces every character that does something instead of showing something. */
export function replaceUnsafe(text: string, replace: (character: string) => string): string {
  return SIMPLE.test(text) ? text : text.replace(UNSAFE, replace)
}

function escapeCharacter(character: string): string {
  const named = NAMED[character]
  if (named !== undefined) return named
  const code = character.codePointAt(0) as number
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}
