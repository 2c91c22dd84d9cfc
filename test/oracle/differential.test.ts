/**
 * The differential suite: random logs, valid and with one rule broken, are shown to resurface and to the published
 * DSH packages, and the answers are compared. RESURFACE_SEED chooses other logs.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../support/effort.ts'
import { describeUnlessMissing } from '../support/unless-missing.ts'
import { compareAnswers } from './compare-answers.ts'
import { type Difference, differences } from './differences.ts'
import { type DraftLog, draftBytes } from './draft-log.ts'
import type { DshAnswer } from './dsh-answer.ts'
import { DshProcess, missingOracle } from './dsh-process.ts'
import { mutationFamilies } from './mutations/all-mutations.ts'
import type { Mutation } from './mutations/mutation.ts'
import { Random } from './random.ts'
import { randomLog } from './random-log.ts'
import { fileStrictlyAccepted, type ResurfaceAnswer, resurfaceAnswer } from './resurface-answer.ts'

const DEFAULT_SEED = 'resurface'
const VALID_LOGS = runs(300, 4)
const LOGS_PER_BATCH = 25
const LOGS_PER_MUTATION = 2
const MOST_TRIES = 200

const seed = process.env.RESURFACE_SEED ?? DEFAULT_SEED
const missing = missingOracle()
let folder: string
let dsh: DshProcess
let compared = 0

describeUnlessMissing(missing, `against DSH 0.1.0-rc.8, RESURFACE_SEED=${seed}`, () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'resurface-oracle-'))
    dsh = new DshProcess()
  })

  afterAll(async () => {
    await dsh.stop()
    // A log that somebody has to look into stays behind.
    if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true })
    console.info(`oracle: ${compared} logs compared, RESURFACE_SEED=${seed}`)
  })

  describe('valid logs', () => {
    for (let first = 0; first < VALID_LOGS; first += LOGS_PER_BATCH) {
      test(`${first} to ${first + LOGS_PER_BATCH - 1}`, () =>
        times(LOGS_PER_BATCH, (index) => judgeValid(first + index)))
    }
  })

  for (const [family, mutations] of Object.entries(mutationFamilies)) {
    describe(family, () => {
      test.each(mutations)('$name', (mutation) =>
        times(mutation.logs ?? LOGS_PER_MUTATION, (index) => judgeMutation(mutation, index)),
      )
    })
  }

  test('every row of the table of differences names a mutation', () => {
    const names = Object.values(mutationFamilies).flatMap((mutations) => mutations.map(({ name }) => name))
    expect(new Set(names).size).toBe(names.length)
    expect(Object.keys(differences).filter((name) => !names.includes(name))).toEqual([])
  })
})

interface Both {
  readonly title: string
  readonly file: string
  readonly dsh: DshAnswer
  readonly resurface: ResurfaceAnswer
  /** The verdict of the strict session, when DSH has one to compare it with. */
  readonly strict: boolean | undefined
}

/** All at once, so that neither side waits for the other between two logs. */
async function times(count: number, judge: (index: number) => Promise<Both>): Promise<void> {
  const indices = Array.from({ length: count }, (_, index) => index)
  const outcomes = await Promise.allSettled(indices.map(judge))
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') rmSync(outcome.value.file)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

async function judgeValid(index: number): Promise<Both> {
  const both = await askBoth(randomLog(new Random(`${seed} valid ${index}`)), `valid-${index}`)
  expectAgreement(both)
  expectExpected(both, 'opens')
  return both
}

async function judgeMutation(mutation: Mutation, index: number): Promise<Both> {
  const { name, expected } = mutation
  const both = await askBoth(mutated(mutation, index), `${name}-${index}`)
  const difference = differences[name]
  if (difference === undefined) {
    expectAgreement(both)
    expectExpected(both, expected)
  } else expectDifference(both, difference)
  return both
}

/** A random log with the mutation applied. Not every log has what a mutation breaks, so more than one is tried. */
function mutated({ name, apply, wish }: Mutation, index: number): DraftLog {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const random = new Random(`${seed} ${name} ${index} ${attempt}`)
    const draft = randomLog(random, wish)
    if (apply(draft, random)) return draft
  }
  throw new Error(`no log of ${MOST_TRIES} has what "${name}" breaks`)
}

async function askBoth(draft: DraftLog, title: string): Promise<Both> {
  compared++
  const file = join(folder, `${compared}-${title.replaceAll(/[^a-z0-9]+/gi, '-')}.jsonl`)
  const bytes = draftBytes(draft)
  writeFileSync(file, bytes)
  const [answer, resurface] = await Promise.all([dsh.ask(file), resurfaceAnswer(file)])
  const strict = answer.strict === null ? undefined : fileStrictlyAccepted(bytes.toString('utf8'))
  return { title, file, dsh: answer, resurface, strict }
}

function expectAgreement(both: Both): void {
  const disagreements = compareAnswers(both.dsh, both.resurface)
  if (disagreements.length > 0) throw new Error(evidence(both, disagreements))
  if (both.strict !== undefined && both.strict !== both.dsh.strict?.accepted) {
    throw new Error(
      evidence(both, { about: 'strict acceptance', dsh: both.dsh.strict, resurface: both.strict }),
    )
  }
}

function expectExpected(both: Both, expected: Mutation['expected']): void {
  if (expected === 'either') return
  const answer = both.dsh.accepted ? 'it opens' : both.dsh.error
  if (expected === 'opens') {
    expect(answer, evidence(both, 'the mutation should leave the log readable')).toBe('it opens')
    return
  }
  expect(answer, evidence(both, 'DSH refuses for another reason')).toMatch(expected.refusal)
  if (expected.code === undefined) return
  expect(both.resurface.codes, evidence(both, 'resurface refuses for another reason')).toContain(
    expected.code,
  )
}

function expectDifference(both: Both, difference: Difference): void {
  const { about, dsh, resurface } = difference
  const strict = about === 'strict acceptance'
  if (strict) expectAgreement({ ...both, strict: undefined })
  const answers = strict
    ? { dsh: both.dsh.strict?.accepted, resurface: both.strict }
    : { dsh: both.dsh.accepted, resurface: both.resurface.accepted }
  expect(answers, evidence(both, 'the table of differences says otherwise')).toEqual({ dsh, resurface })
}

/** What somebody needs to look into a difference. The log is kept for them. */
function evidence({ title, file }: Both, what: unknown): string {
  return `RESURFACE_SEED=${seed}, ${title}\nlog: ${file}\n${JSON.stringify(what, null, 2)}`
}
