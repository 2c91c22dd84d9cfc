/** The page for somebody whose old sessions do not open any more: from the words of DSH to the command that helps. */
import { FAMILIES, FAMILY_NAMES, type FamilyName } from '../core/repair/upgrade-families.ts'

const INTRODUCTION = `# Old sessions that a newer DSH does not open

A newer DSH reads old logs through a chain of migrations, from format 0 to 1, 2, 3 and 4, and every one of them refuses a
whole log rather than guess. Most logs that are refused are intact: the version that wrote them opens them still. The
messages look like these:

\`\`\`text
@deepseek-ai/dsh-session-format-v0-to-v1 refuses this format v0 Session: user/message 4 source lacks required member "changes"
Session migration from v0 to v2 refuses the transformed artifact: turn/end crosses an open compaction
\`\`\`

## What to do

1. Rehearse. Nothing is written; the answer says how many sessions open today, after the upgrade, and after a repair, and
   what the repairs would change:

   \`\`\`sh
   resurface check ~/.dsh/sessions --target format-3
   \`\`\`

2. Repair what is refused. Close DSH first. Every log keeps a backup, what is changed or taken out is in a quarantine file next
   to it, and a run that was interrupted can be repeated:

   \`\`\`sh
   resurface repair ~/.dsh/sessions --target format-3 --in-place
   \`\`\`

3. If you do not like what came of it, every byte comes back:

   \`\`\`sh
   resurface undo ~/.dsh/sessions
   \`\`\`

One log works the same way: \`resurface repair session.jsonl.zstd --target format-3\` prints the plan. The target is the format
that your DSH writes: \`format-2\` for 0.1.3, \`format-3\` from 0.1.5 on, \`format-4\` from 0.1.7 on. Everything up to the target opens
the log afterwards. It stays in the format it has, so the version that wrote it opens it too.

Roles and content of every message stay as they are, byte for byte, on the surface and in the transcript: that is compared
before anything is written, and so is that nothing but the named members differs. Where nothing in the log tells a value,
the log is left alone and the row is named. What is said about formats 0 to 3 was compared with the published readers of
DSH; format 4 is known at second hand.
`

const NOT_MENDED = `## What is not mended

Content that the target does not know (\`unclassified message content kind\`), a required event of a plugin, and log-only events
without a member that nothing else tells: the plan names the row. \`--allow-unknown\` takes required events of unknown types
out of the log, to quarantine, for it is you who knows whether they matter. \`stored Session uses newer format\` is no
fault of the log: an older DSH meets a log that a newer one has written.
`

export function* upgradePage(): Iterable<string> {
  yield INTRODUCTION
  yield '\n## From the message to the cause\n\n'
  const rows = FAMILY_NAMES.flatMap((name) => FAMILIES[name].messages.map((message) => ({ message, name })))
  for (const { message, name } of rows.toSorted((a, b) => (a.message < b.message ? -1 : 1)))
    yield `- \`${message}\`: [${FAMILIES[name].title}](#${name})\n`
  yield '\n## What a repair changes\n'
  for (const name of FAMILY_NAMES) yield* section(name)
  yield `\n${NOT_MENDED}`
}

function* section(name: FamilyName): Iterable<string> {
  const { title, change, keeps } = FAMILIES[name]
  yield `\n### ${name}\n\n`
  yield `${capital(title)}.\n\n`
  yield `- Changed: ${change}.\n- Kept: ${keeps}.\n`
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
