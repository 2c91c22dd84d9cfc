/** Images that are left out of what the model gets (format.md §5.5, §12.I): which targets are sound, and the marks. */
import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../../src/core/event/session-event.ts'
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value.ts'
import { ImageOffload, withOffloadedImages } from '../../../src/core/surface/image-offload.ts'
import type { SurfaceEffect } from '../../../src/core/surface/surface-manager.ts'
import { textBlock } from '../../support/later-log.ts'

const image = { type: 'image' }
const gone = { type: 'image', offloaded: true }
const append: SurfaceEffect = { kind: 'append' }

function message(type: string, seq: number, content: JsonValue): SessionEvent {
  return { type, seq, time: 0, data: type === 'user/message' ? { content } : { message: { content } } }
}

/**
 * A user message with three images at 0, one of them within a block; a result with one at 1; an answer with one at 2; a
 * message without images at 3, one with an image that is gone already at 4, one that was refused at 5.
 */
function followed(): ImageOffload {
  const offload = new ImageOffload()
  offload.follow(
    message('user/message', 0, [textBlock('look'), image, { type: 'box', content: [image] }, image]),
    append,
  )
  offload.follow(message('tool/result', 1, [{ type: 'tool-result', content: ['x', image] }]), append)
  offload.follow(message('assistant/message', 2, [image]), append)
  offload.follow(message('user/message', 3, [textBlock('no image')]), append)
  offload.follow(message('user/message', 4, [gone]), append)
  offload.follow(message('user/message', 5, [image]), { kind: 'log-only' })
  offload.follow({ type: 'tool/result', seq: 6, time: 0, data: null }, append)
  return offload
}

const event = (data: JsonValue): SessionEvent => ({ type: 'image/offload', seq: 7, time: 0, data })
const target = (seq: JsonValue, imageIndexes: JsonValue): JsonObject => ({ seq, imageIndexes })
const kindOf = (data: JsonValue, offload = followed()): string => {
  const plan = offload.apply(event(data))
  return plan.kind
}

test.each<[what: string, targets: JsonValue]>([
  ['all images of a message', [target(0, [0, 1, 2])]],
  ['one image inside a block', [target(0, [1])]],
  ['images of several nodes', [target(1, [0]), target(0, [2])]],
])('sound: %s', (_what, targets) => {
  expect(kindOf({ targets })).toBe('offload')
})

test.each<[what: string, data: JsonValue]>([
  ['no object', null],
  ['a list', [target(0, [0])]],
  ['no targets', {}],
  ['no list of targets', { targets: target(0, [0]) }],
  ['an empty list of targets', { targets: [] }],
  ['something next to the targets', { targets: [target(0, [0])], reason: 'x' }],
  ['a target that is no object', { targets: [null] }],
  ['a target without seq', { targets: [{ imageIndexes: [0] }] }],
  ['a target without indexes', { targets: [{ seq: 0 }] }],
  ['indexes that are no list', { targets: [target(0, 'ab')] }],
  ['no index', { targets: [target(0, [])] }],
  ['a node named twice', { targets: [target(0, [0]), target(0, [1])] }],
  ['a node that never was', { targets: [target(9, [0])] }],
  ['a message that was refused', { targets: [target(5, [0])] }],
  ['an answer', { targets: [target(2, [0])] }],
  ['a message without images', { targets: [target(3, [0])] }],
  ['a result without message', { targets: [target(6, [0])] }],
  ['an image after the last one', { targets: [target(0, [3])] }],
  ['an index that is no count', { targets: [target(0, ['1'])] }],
  ['an index below 0', { targets: [target(0, [-1])] }],
  ['indexes that fall', { targets: [target(0, [1, 0])] }],
  ['an index twice', { targets: [target(0, [1, 1])] }],
  ['an image that came without its content', { targets: [target(4, [0])] }],
  ['one sound target and one that is not', { targets: [target(0, [0]), target(1, [1])] }],
])('invalid: %s', (_what, data) => {
  expect(kindOf(data)).toBe('invalid')
})

describe('one offload after another', () => {
  test('what is left out is left out once', () => {
    const offload = followed()
    expect(kindOf({ targets: [target(0, [0, 2])] }, offload)).toBe('offload')
    expect(kindOf({ targets: [target(0, [2])] }, offload)).toBe('invalid')
    expect(kindOf({ targets: [target(0, [1])] }, offload)).toBe('offload')
  })

  test('an invalid one leaves out nothing', () => {
    const offload = followed()
    expect(kindOf({ targets: [target(0, [0]), target(9, [0])] }, offload)).toBe('invalid')
    expect(kindOf({ targets: [target(0, [0])] }, offload)).toBe('offload')
  })

  test('nodes that were replaced are no targets, and what replaced them is', () => {
    const offload = followed()
    const replacement = { seq: 6, start: 0, end: 1, shadowed: [0, 1] }
    offload.follow(message('user/message', 6, [image]), { kind: 'replace', replacement })
    expect(kindOf({ targets: [target(0, [0])] }, offload)).toBe('invalid')
    expect(kindOf({ targets: [target(1, [0])] }, offload)).toBe('invalid')
    expect(kindOf({ targets: [target(6, [0])] }, offload)).toBe('offload')
  })
})

test.each<[indexes: number[], content: JsonValue, marked: JsonValue]>([
  [[0], [image, image], [gone, image]],
  [[1], [textBlock('a'), image, 'odd', image], [textBlock('a'), image, 'odd', gone]],
  [[], [image], [image]],
  [
    [1, 2],
    [image, { type: 'box', name: 'b', content: [image] }, image],
    [image, { type: 'box', name: 'b', content: [gone] }, gone],
  ],
  [[0], [{ type: 'box', content: 'text' }, image], [{ type: 'box', content: 'text' }, gone]],
  [[0], 'text', 'text'],
])('images %j of %j', (indexes, content, marked) => {
  const message = { id: 'm', content }
  expect(withOffloadedImages(message, indexes)).toEqual({ id: 'm', content: marked })
  expect(message.content).toBe(content)
})
