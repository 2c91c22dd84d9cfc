/**
 * What a file, or a database with what stands beside it, comes to while somebody waits for more. It is asked for its
 * fingerprint again and again, because file systems differ in what they tell by themselves. All who read it, each at a
 * place of their own, see the same states and the same end; behind the end nothing is looked at any more.
 */
import type { Pace } from './polling.ts'

export class Growth<State> {
  /** Number of the state; rises with every change. */
  version = 0
  state: State
  /** Nothing more will come, be it that the log is at rest or that somebody has ended the waiting. */
  isComplete = false
  readonly #take: () => Promise<State>
  readonly #isSame: (a: State, b: State) => boolean
  readonly #pace: Pace

  /** @param take - the state as it is now; throws when it belongs to something else. */
  static async begin<State>(
    take: () => Promise<State>,
    isSame: (a: State, b: State) => boolean,
    pace: Pace,
  ): Promise<Growth<State>> {
    return new Growth(await take(), take, isSame, pace)
  }

  private constructor(
    state: State,
    take: () => Promise<State>,
    isSame: (a: State, b: State) => boolean,
    pace: Pace,
  ) {
    this.state = state
    this.#take = take
    this.#isSame = isSame
    this.#pace = pace
  }

  /** Waits for another state than the one with the number `seen`, or for the end. */
  async beyond(seen: number): Promise<void> {
    while (this.version === seen && !this.isComplete) {
      const isNews = await this.#look()
      // What is there when somebody ends the waiting is what there is.
      if (this.#pace.isOver) this.isComplete = true
      else if (!isNews) await this.#pace.rest()
    }
  }

  async #look(): Promise<boolean> {
    const state = await this.#take()
    if (this.#isSame(this.state, state)) return false
    this.#pace.notice()
    this.state = state
    this.version++
    return true
  }
}
