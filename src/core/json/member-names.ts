/**
 * Names of members in the order in which objects have them: an object of a log has nearly always the names that the one
 * before it in the same place had, so a name is compared with the one that came there last, and read only when it is
 * another. As no object repeats a name or has one that it would inherit, what follows known names need not be asked again.
 */
import { type Pattern, pattern } from './json-bytes.ts'

/** A hostile log may have any number of shapes. */
const MOST_NAMES = 4096
const LONGEST = 32
const IS_PLAIN = /^[ !#-[\]-~]+$/

let kept = 0

/** A name after the names before it in its object; also the place where an object begins. */
export class MemberName {
  readonly name: string
  /** The name with its quotes and colon. */
  readonly spelling: Pattern
  /** What followed last. */
  next: MemberName | undefined
  readonly #following = new Map<string, MemberName>()
  #inside: MemberName | undefined

  constructor(name = '') {
    this.name = name
    this.spelling = pattern(`"${name}":`)
  }

  /** The place in which objects begin that are the value of this member, or in its list. */
  inside(): MemberName | undefined {
    if (this.#inside === undefined && kept < MOST_NAMES) {
      this.#inside = new MemberName()
      kept++
    }
    return this.#inside
  }

  /** The name after this one, if it was added. */
  known(name: string): MemberName | undefined {
    const following = this.#following.get(name)
    if (following !== undefined) this.next = following
    return following
  }

  /** Adds a name that is not before this one, and that no object inherits. Absent when no more are kept. */
  add(name: string): MemberName | undefined {
    if (kept >= MOST_NAMES || name.length > LONGEST || !IS_PLAIN.test(name)) return undefined
    const following = new MemberName(name)
    kept++
    this.#following.set(name, following)
    this.next = following
    return following
  }
}
