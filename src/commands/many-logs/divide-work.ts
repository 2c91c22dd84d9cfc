/** Work on several inputs, divided between this thread and others. The results come in the order of the inputs. */
import type { InputWorker } from '../definition/command.ts'

/** A worker is given inputs ahead, so that it need not wait for each: up to so many, and no large part of its share. */
const DEEPEST = 16
const SHARES = 16

/** Inputs that are begun before the oldest of them is taken: what is held does not grow with the number of inputs. */
const MOST_BEGUN = 256

/**
 * Each thread takes the next input when it is done with the last. What a worker leaves is done here, and so is what follows
 * once it has ended. Alone, this thread does an input when it is asked for the next answer.
 */
export async function* divideWork<Input, Part>(
  inputs: readonly Input[],
  here: (input: Input) => Promise<Part>,
  workers: readonly InputWorker<Input, Part>[],
): AsyncGenerator<Part, void, void> {
  if (workers.length === 0) {
    for (const input of inputs) yield await here(input)
    return
  }
  const hereInTurn = inTurn(here)
  const there = workers.map((worker): Lane<Input, Part> => {
    const lane: Lane<Input, Part> = {
      async run(input) {
        const part = await worker.run(input).catch(() => {
          lane.hasEnded = true
          return undefined
        })
        return part ?? hereInTurn(input)
      },
    }
    return lane
  })
  const depth = Math.min(Math.ceil(inputs.length / (there.length + 1) / SHARES), DEEPEST)
  const idle = [{ run: hereInTurn }, ...Array.from({ length: depth }, () => there).flat()]
  const begun: Promise<Part>[] = []
  let next = 0
  const begin = (): void => {
    while (next < inputs.length && begun.length < MOST_BEGUN) {
      const lane = idle.pop()
      if (lane === undefined) return
      const part = lane.run(inputs[next++] as Input)
      begun.push(part)
      const done = (): void => {
        if (lane.hasEnded !== true) idle.push(lane)
        begin()
      }
      part.then(done, done)
    }
  }
  begin()
  for (let part = begun.shift(); part !== undefined; part = begun.shift()) {
    const answer = await part
    begin()
    yield answer
  }
}

interface Lane<Input, Part> {
  readonly run: (input: Input) => Promise<Part>
  hasEnded?: boolean
}

/** One after the other, in the order of the calls. */
function inTurn<Input, Part>(run: (input: Input) => Promise<Part>): (input: Input) => Promise<Part> {
  let last: Promise<unknown> = Promise.resolve()
  return (input) => {
    const part = last.then(() => run(input))
    last = part.catch(() => undefined)
    return part
  }
}
