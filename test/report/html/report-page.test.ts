/** The page of `report` as text. What a browser makes of it is tested in a browser. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LogBuilder } from '../../support/log-builder.ts'
import { log } from '../../support/log-builder.ts'
import {
  compactedTwice,
  conversation,
  crashedInStep,
  damaged,
  forked,
  HOSTILE,
  hostile,
} from '../../support/page-logs.ts'
import { runMain } from '../../support/run-main.ts'

async function pageOf(built: LogBuilder | Buffer, ...options: string[]): Promise<string> {
  const input = Buffer.isBuffer(built) ? built : built.bytes()
  return (await runMain(['report', '-', ...options], { input })).stdout
}

/** What people read of a part of the page, one space between words. */
function textOf(page: string, part = 'conversation'): string {
  const start = page.indexOf(`<section id="${part}"`)
  const end = page.indexOf('<section id="', start + 1)
  const markup = page.slice(start, end === -1 ? undefined : end).replace(/<title id[\s\S]*?<\/desc>/g, '')
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&quot;', '"')
}

const TAG =
  /^<(?:\/?[a-z]+\d?|[a-z]+\d?(?: (?:class|id|href|role|aria-[a-z]+|scope|tabindex|lang|viewBox|preserveAspectRatio|d|x1?|x2|y1?|y2|width|height)="[\w #().,/-]*"| title="[^"<>]*"| open)+\/?)>$/

/** Every tag of the body is one that the program writes. */
function strangeTags(page: string): readonly string[] {
  const body = page.slice(page.indexOf('<body>'))
  return (body.match(/<[^>]*>?/g) ?? []).filter((tag) => !TAG.test(tag))
}

describe('no text of a log makes an element or an attribute', () => {
  test('hostile text', async () => {
    const page = await pageOf(hostile())
    expect(strangeTags(page)).toEqual([])
    expect(page.match(/<\/style>|<script|<meta http-equiv="refresh/g)).toEqual(['</style>'])
    expect(strangeTags(`<body>${HOSTILE}`)).not.toEqual([])
  })

  test('random text', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc
        .array(
          fc.constantFrom('<', '>', '"', "'", '&', ' ', '=', '<b>', '</title>', 'onclick=', '-->', '\n'),
          { minLength: 1 },
        )
        .map((parts) => parts.join('')),
    )
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        expect(strangeTags(await pageOf(hostile(value)))).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})

test('the policy is before everything that it is for, and nothing outside is named', async () => {
  const page = await pageOf(hostile())
  const policy = page.indexOf(`content="default-src 'none'; style-src 'unsafe-inline'`)
  expect(policy).toBeGreaterThan(0)
  expect(policy).toBeLessThan(page.indexOf('<style>'))
  const links = page.match(/<[^>]* (?:href|src)="[^"]*"/g) ?? []
  expect(links.length).toBeGreaterThan(4)
  expect(links.filter((link) => !link.includes('href="#'))).toEqual([])
  expect(page.slice(0, page.indexOf('</style>'))).not.toMatch(/url\(|@import/)
})

describe('what happened to the conversation is where it happened', () => {
  test('compactions, with what they hid and their summary', async () => {
    const text = textOf(await pageOf(compactedTwice()))
    const compactions = text.split('Compaction.').slice(1)
    expect(compactions).toHaveLength(2)
    expect(compactions[0]).toContain('no longer saw 15 messages (#3 to #38)')
    expect(compactions[0]).toContain('3 messages of users or plugins, 6 answers, 6 tool results')
    expect(compactions[0]).toContain('The tests of parts 1 to 3 pass. Nothing was slow.')
    expect(compactions[1]).toContain('no longer saw 16 messages')
    expect(compactions[1]).toContain('The tests of parts 1 to 6 pass.')
    expect(text.indexOf('Turn 6')).toBeLessThan(text.indexOf('Compaction.'))
    expect(text.indexOf('Turn 7')).toBeGreaterThan(text.indexOf('Compaction.'))
  })

  test('a crash, with the calls that it left', async () => {
    const text = textOf(await pageOf(crashedInStep()))
    expect(text).toMatch(/npm run deploy\S* started, and no result followed/)
    expect(text).toMatch(/npm run lint\S* never started/)
    expect(text).toContain('The log ends here, after #33, inside of turn 3')
  })

  test('a turn that nothing ended, and one that was ended on resume', async () => {
    const built = log().openTurn((turn) => turn.user('one'))
    built.turn((turn) => turn.user('two'), { kind: 'interrupted' })
    const text = textOf(await pageOf(built))
    expect(text).toContain('Turn 1 was never ended: the next one starts.')
    expect(text).toContain('Turn 2 was cut off here, and ended as interrupted')
    expect(text).not.toContain('The log ends here')
  })

  test('a crash before anything was said, and a turn without a number', async () => {
    expect(textOf(await pageOf(log().openTurn()))).toContain('The log ends here, after #0, inside of turn 1')
    const nameless = conversation(1).edit(0, (row) => ({ ...row, data: { turn: null } }))
    expect(textOf(await pageOf(nameless))).toMatch(/Turn at #0 Question 1.* completed .* Question 1/)
  })

  test('a fork, after what it inherited', async () => {
    const text = textOf(await pageOf(forked()))
    expect(text).toMatch(
      /Turn 2 .* Fork\. Events #0 to #25 were inherited from session session-\S+ From #26 on .* Turn 3/,
    )
    expect(text.match(/completed · inherited/g)).toHaveLength(2)
  })

  test('a fork that said nothing of its own', async () => {
    const built = conversation(1)
    const text = textOf(await pageOf(built.header({ parentSession: 'p', seedLength: built.nextSeq })))
    expect(text).toMatch(/Turn 1 .* Fork\. Events #0 to #12 were inherited/)
  })
})

test('findings stand first, each with its remedy, and lead into the conversation and back', async () => {
  const page = await pageOf(damaged())
  expect(page.indexOf('<section id="findings"')).toBeLessThan(page.indexOf('<section id="conversation"'))
  const cards = page.match(/<section class="finding"[\s\S]*?<\/section>/g) ?? []
  expect(cards.length).toBeGreaterThan(2)
  for (const card of cards) expect(card).toContain('<strong>Remedy:</strong>')
  const crashed = await pageOf(crashedInStep())
  expect(crashed).toContain('<a href="#seq-30">#30</a>')
  expect(crashed).toContain('href="#finding-pair-result-pending">2 findings</a>')
})

test('findings beyond the limit are folded', async () => {
  const built = log().turn((turn) => {
    for (let count = 0; count < 9; count++) turn.event('acme/unknown')
  })
  const [card] = (await pageOf(built)).match(/<section class="finding"[\s\S]*?<\/section>/g) ?? []
  expect(card?.slice(0, card.indexOf('<details>')).match(/<li>/g)).toHaveLength(5)
  expect(card).toContain('<summary>4 more</summary>')
  expect(await pageOf(built, '--all')).not.toContain('<summary>4 more</summary>')
})

test('what the model no longer sees, how long tools took, trouble and the repair plan', async () => {
  const compacted = await pageOf(compactedTwice())
  expect(compacted).toMatch(/class="entry user shadowed"/)
  expect(textOf(compacted)).toMatch(/the model no longer sees it \(replaced by #\d+\)/)
  expect(textOf(compacted)).toMatch(/seen by the model/)
  expect(textOf(compacted)).toMatch(/took [\d.]+ (?:ms|s|min)/)
  expect(textOf(compacted, 'findings')).not.toContain('Turns with trouble')
  const broken = await pageOf(damaged())
  expect(textOf(broken, 'findings')).toMatch(/Turns with trouble .*What a repair would do/)
  expect(broken).toMatch(/<ul class="troubled"><li><a href="#turn-\d+">/)
  expect(broken).toMatch(/<div class="mark gap"/)
})

describe('parts of the conversation, chosen as transcript does', () => {
  const built = conversation(3)

  test.each<[options: string[], shown: RegExp, missing: RegExp]>([
    [['--turn', '2'], /part 2/, /part [13]/],
    [['--tail', '1'], /part 3/, /part [12]/],
    [['--seq', '..12'], /part 1/, /part [23]/],
    [['--only', 'user'], /Question 1.*Question 3/, /I will run|✓/],
    [['--only', 'tool'], /✓ part 1/, /Question/],
    [['--no-tool-output'], /I will run.*npm test.* left out/, /✓/],
  ])('%j', async (options, shown, missing) => {
    const text = textOf(await pageOf(built, ...options))
    expect(text).toMatch(shown)
    expect(text).not.toMatch(missing)
    expect(text).toContain(`Only part of it: ${options.join(' ').replace('..12', '0..12')}.`)
    // Verdict and charts are of the whole log.
    expect(textOf(await pageOf(built, ...options), 'charts')).toBe(textOf(await pageOf(built), 'charts'))
  })

  test('nothing chosen', async () => {
    expect(textOf(await pageOf(built, '--turn', '9'))).toContain('There is nothing to show.')
  })
})

describe('limits', () => {
  test('of entries the last ones stay, and the page says so', async () => {
    const built = log()
    for (let count = 0; count < 5010; count++) built.user(`message ${count}`)
    const page = await pageOf(built)
    expect(page.match(/<article class="entry user"/g)).toHaveLength(5000)
    expect(textOf(page)).toContain('10 earlier entries are left out; --seq ..9 shows the last of them')
    expect(page).not.toContain('>message 9<')
    expect(page).toContain('>message 10<')
    expect(textOf(await pageOf(built, '--seq', '..9'))).toContain('message 9')
  })

  test('a long text is cut, and the page says by how much', async () => {
    const page = await pageOf(log().user('x'.repeat(30_000)))
    expect(page.match(/x{1000,}/g)?.join('')).toHaveLength(20_000)
    expect(textOf(page)).toContain('10,000 characters left out; resurface transcript shows all.')
  })

  test('a long turn is divided', async () => {
    const page = await pageOf(
      log().turn((turn) => {
        for (let count = 0; count < 450; count++) turn.user('x')
      }),
    )
    expect(page.match(/<h3>Turn 1[^<]*/g)).toEqual([
      '<h3>Turn 1',
      '<h3>Turn 1, continued (2)',
      '<h3>Turn 1, continued (3)',
    ])
  })
})

test('the charts say in words what they show', async () => {
  const text = textOf(await pageOf(compactedTwice()), 'charts')
  expect(text).toMatch(/Estimated tokens that the model saw .* one token for every four characters/)
  expect(text).toContain('37 messages at most, 32 at the end; 2 replacements.')
  expect(text).toContain('12 turns: 91,800 sent anew, 71,400 read from cache, 1,440 written by the model.')
})

test('a log without anything to draw has no charts', async () => {
  expect(await pageOf(log())).not.toContain('<svg')
})

test('times that are no dates, and counts that are none, spoil no drawing', async () => {
  const built = conversation(3)
  built.edit(0, (row) => ({ ...row, time: 1e300 }))
  built.edit(3, (row) => {
    const data = row.data as { usage: Record<string, number> }
    data.usage = { inputTokens: -5, outputTokens: 1e308, cacheReadTokens: 1e308 }
    return row
  })
  const page = await pageOf(built)
  expect(page).not.toMatch(/NaN|undefined|="-|="Infinity/)
  expect(strangeTags(page)).toEqual([])
})

test('the same log gives the same bytes', async () => {
  expect(await pageOf(compactedTwice())).toBe(await pageOf(compactedTwice()))
})
