/** The indexed order against the plain list of the specification. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SurfaceOrder } from '../../../src/core/surface/surface-order.ts'

interface Model {
  nodes: number[]
  seq: number
}

class Push implements fc.Command<Model, SurfaceOrder> {
  check = (): boolean => true

  run(model: Model, order: SurfaceOrder): void {
    model.nodes.push(model.seq)
    order.push(model.seq)
    agree(model, order)
    model.seq++
  }

  toString = (): string => 'push'
}

class Replace implements fc.Command<Model, SurfaceOrder> {
  readonly #at: number
  readonly #length: number

  constructor(at: number, length: number) {
    this.#at = at
    this.#length = length
  }

  check = (model: Model): boolean => model.nodes.length > 0

  run(model: Model, order: SurfaceOrder): void {
    const from = this.#at % model.nodes.length
    const to = Math.min(from + this.#length, model.nodes.length - 1)
    const gone = model.nodes.splice(from, to - from + 1, model.seq)
    order.replace(from, to, model.seq)
    agree(model, order)
    for (const seq of gone) {
      expect(order.has(seq)).toBe(false)
      expect(order.indexOf(seq)).toBe(-1)
    }
    model.seq++
  }

  toString = (): string => `replace(${this.#at}, +${this.#length})`
}

function agree(model: Model, order: SurfaceOrder): void {
  expect(order.nodes).toEqual(model.nodes)
  for (const [index, seq] of model.nodes.entries()) expect(order.indexOf(seq)).toBe(index)
}

test('behaves as a list with indexOf and splice', () => {
  const commands = [
    fc.constant(new Push()),
    fc.tuple(fc.nat(50), fc.nat(5)).map(([at, length]) => new Replace(at, length)),
    fc.tuple(fc.nat(50)).map(([at]) => new Replace(at, 0)),
  ]
  fc.assert(
    fc.property(fc.commands(commands, { maxCommands: 60 }), (run) => {
      fc.modelRun(() => ({ model: { nodes: [], seq: 0 }, real: new SurfaceOrder() }), run)
    }),
  )
})

test.each<[from: number, to: number]>([
  [0, 0],
  [0, 2],
  [2, 2],
  [2, 4],
  [3, 5],
  [0, 5],
])('nodes %i to %i of six are replaced, and again', (from, to) => {
  const order = new SurfaceOrder()
  const model: Model = { nodes: [], seq: 0 }
  for (let seq = 0; seq < 6; seq++) new Push().run(model, order)
  new Replace(from, to - from).run(model, order)
  new Push().run(model, order)
  new Replace(from, 1).run(model, order)
})

test('two hundred thousand replacements on a long surface', () => {
  const order = new SurfaceOrder()
  const length = 20_000
  const replacements = 200_000
  for (let seq = 0; seq < length; seq++) order.push(seq)
  for (let round = 0; round < replacements; round++) {
    const position = (round * 7919) % length
    const index = order.indexOf(order.nodes[position] as number)
    order.replace(index, index, length + round)
  }
  expect(order.nodes.length).toBe(length)
  expect(order.indexOf(length + replacements - 1)).toBe(((replacements - 1) * 7919) % length)
})
