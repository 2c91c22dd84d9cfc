/** Work on several inputs, shared out between this thread and helpers. The answers come in the order of the inputs. */

export interface Helper<Input, Part> {
  /** `undefined` for an input that has to be read in this thread. Rejects when the helper can do no more. */
  run(input: Input): Promise<Part | undefined>
}

/** Each takes the next input when it is done with the last; what a helper leaves is done here in the end. */
export async function sharedOut<Input, Part>(
  inputs: readonly Input[],
  here: (input: Input) => Promise<Part>,
  helpers: readonly Helper<Input, Part>[],
): Promise<readonly Part[]> {
  const parts: (Part | undefined)[] = inputs.map(() => undefined)
  let next = 0
  const lane = async (run: (input: Input) => Promise<Part | undefined>): Promise<void> => {
    while (next < inputs.length) {
      const index = next++
      parts[index] = await run(inputs[index] as Input)
    }
  }
  const others = helpers.map((helper) => lane((input) => helper.run(input)).catch(() => undefined))
  await Promise.all([lane(here), ...others])
  const whole: Part[] = []
  for (const [index, input] of inputs.entries()) whole.push(parts[index] ?? (await here(input)))
  return whole
}
