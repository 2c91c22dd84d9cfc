/** Whether a text is well-formed XML 1.0, as far as a document without DTD, comments and processing goes. */

const ALLOWED = /^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u
const DECLARATION = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/
const TAG = /<(\/?)([A-Za-z][\w.-]*)((?:\s+[A-Za-z_][\w.-]*="[^"<]*")*)\s*(\/?)>/y
const ATTRIBUTE = /([A-Za-z_][\w.-]*)="([^"<]*)"/g
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);)/i

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/** @returns the root element; throws where the text is not well-formed. */
export function parseXml(document: string): Element {
  if (!ALLOWED.test(document)) throw new Error('a character that XML does not have')
  if (BARE_AMPERSAND.test(document)) throw new Error('a bare ampersand')
  const body = document.replace(DECLARATION, '')
  if (body === document) throw new Error('no declaration')
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open: Element[] = [root]
  for (let at = 0; at < body.length; ) {
    const parent = open.at(-1) as Element
    const next = body.indexOf('<', at)
    const text = body.slice(at, next === -1 ? undefined : next)
    if (text.includes(']]>') || (open.length === 1 && text.trim() !== ''))
      throw new Error(`stray text: ${text}`)
    parent.text += withoutEntities(text)
    if (next === -1) break
    TAG.lastIndex = next
    const tag = TAG.exec(body)
    if (tag === null) throw new Error(`no tag: ${body.slice(next, next + 80)}`)
    const [whole, closing, name = '', attributes = '', empty] = tag
    at = next + whole.length
    if (closing === '/') {
      if (open.pop()?.name !== name || open.length === 0) throw new Error(`</${name}> closes something else`)
      continue
    }
    const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [
      key,
      withoutEntities(value),
    ])
    if (new Set(pairs.map(([key]) => key)).size < pairs.length)
      throw new Error(`an attribute twice in ${name}`)
    const element: Element = { name, attributes: Object.fromEntries(pairs), children: [], text: '' }
    parent.children.push(element)
    if (empty !== '/') open.push(element)
  }
  const [only] = root.children
  if (open.length !== 1 || only === undefined || root.children.length > 1)
    throw new Error('not one whole element')
  return only
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function withoutEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] as string)
}
