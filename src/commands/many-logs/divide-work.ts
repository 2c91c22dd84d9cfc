/** Work on several inputs, divided between this thread and others. The results come in the order of the inputs. */
import type { InputWorker } from '../definition/command.ts'

/** Each takes the next input when it is done with the last; what a worker leaves is done here in the end. */
export async function divideWork<Input, Part>(
  inputs: readonly Input[],
  here: (input: Input) => Promise<Part>,
  workers: readonly InputWorker<Input, Part>[],
): Promise<readonly Part[]> {
  const parts: (Part | undefined)[] = inputs.map(() => undefined)
  let next = 0
  const lane = async (run: (input: Input) => Promise<Part | undefined>): Promise<void> => {
    while (next < inputs.length) {
      const index = next++
      parts[index] = await run(inputs[index] as Input)
    }
  }
  const others = workers.map((worker) => lane((input) => worker.run(input)).catch(() => undefined))
  await Promise.all([lane(here), ...others])
  const whole: Part[] = []
  for (const [index, input] of inputs.entries()) whole.push(parts[index] ?? (await here(input)))
  return whole
}
