/** The readable text of a message's content blocks: what a person would be shown, not what the model gets. */
import { blocksOf } from '../event/session-event.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringIn } from '../json/json-value.ts'

/** Text blocks and stand-ins for images and files, one a line. Reasoning and tool calls are left out. */
export function visibleText(message: JsonObject | undefined): string {
  return blocksOf(message)
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n')
}

export function reasoningText(message: JsonObject | undefined): string {
  return blocksOf(message)
    .filter((block) => block.type === 'reasoning')
    .map((block) => stringIn(block.text))
    .join('\n')
}

/** The text of a tool/result message, in whichever shape its format gives it. */
export function resultText(message: JsonObject | undefined): string {
  const [block] = blocksOf(message)
  return block?.type === 'tool-result' ? visibleText(block) : visibleText(message)
}

function blockText(block: JsonObject): string {
  switch (block.type) {
    case 'text':
      return stringIn(block.text)
    case 'image':
    case 'file':
      return attachmentText(block.type, block.attachment)
    case 'tool-result':
      return visibleText(block)
    default:
      return ''
  }
}

function attachmentText(kind: string, attachment: JsonValue | undefined): string {
  if (!isJsonObject(attachment)) return `[${kind}]`
  const { name, mediaType, bytes } = attachment
  const facts = [name, mediaType, typeof bytes === 'number' ? `${bytes} bytes` : undefined]
  return `[${[kind, ...facts.filter((fact) => typeof fact === 'string' && fact !== '')].join(' ')}]`
}

/** Whether a text anywhere in a value contains another one, in upper or lower case. */
export function saysText(value: JsonValue, wanted: string): boolean {
  const text = wanted.toLowerCase()
  const open: JsonValue[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') {
      if (next.toLowerCase().includes(text)) return true
    } else if (Array.isArray(next)) for (const item of next) open.push(item)
    else if (isJsonObject(next)) for (const member of Object.values(next)) open.push(member as JsonValue)
  }
  return false
}
