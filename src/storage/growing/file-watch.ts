/**
 * Watches a file, or a database with the files next to it, by asking for its fingerprint again and again: file systems
 * differ in what they notify. All readers, each at its own position, see the same states and the same end; after the end
 * nothing is looked at any more.
 */
import type { PollTiming } from './poll-timer.ts'

export class FileWatch<State> {
  /** Number of the state; rises with every change. */
  version = 0
  state: State
  /** Nothing more will come: the log is at rest, or somebody has ended the waiting. */
  isComplete = false
  readonly #take: () => Promise<State>
  readonly #isSame: (a: State, b: State) => boolean
  readonly #timer: PollTiming

  /** @param take - the state as it is now; throws when it belongs to something else. */
  static async begin<State>(
    take: () => Promise<State>,
    isSame: (a: State, b: State) => boolean,
    timer: PollTiming,
  ): Promise<FileWatch<State>> {
    return new FileWatch(await take(), take, isSame, timer)
  }

  private constructor(
    state: State,
    take: () => Promise<State>,
    isSame: (a: State, b: State) => boolean,
    timer: PollTiming,
  ) {
    this.state = state
    this.#take = take
    this.#isSame = isSame
    this.#timer = timer
  }

  /** Waits for another state than the one with the number `seen`, or for the end. */
  async changedSince(seen: number): Promise<void> {
    while (this.version === seen && !this.isComplete) {
      const isNews = await this.#look()
      // What is there when somebody ends the waiting is what there is.
      if (this.#timer.isOver) this.isComplete = true
      else if (!isNews) await this.#timer.wait()
    }
  }

  async #look(): Promise<boolean> {
    const state = await this.#take()
    if (this.#isSame(this.state, state)) return false
    this.#timer.restart()
    this.state = state
    this.version++
    return true
  }
}
