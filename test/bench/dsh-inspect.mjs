/** The published packages reading a log and folding its surface, as the product does on a cold read. */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const require = createRequire(new URL('../oracle/package.json', import.meta.url))
const load = (name) => import(pathToFileURL(require.resolve(name)).href)
const { Context } = await load('@deepseek-ai/cordis')
const { foldSurface, SessionStore } = await load('@deepseek-ai/dsh-session')
const { JsonlSessionPersistence } = await load('@deepseek-ai/dsh-session-persistence-jsonl')

const [, , path] = process.argv
const root = await mkdtemp(join(tmpdir(), 'resurface-bench-dsh-'))
try {
  const context = new Context()
  await context.plugin(SessionStore)
  const compression = path.endsWith('.zstd') ? 'zstd' : 'none'
  await context.plugin(JsonlSessionPersistence, { root, compression })
  const id = 'session-00000000-0000-4000-8000-00000000be7c'
  const { path: target } = context.sessionPersistence.locate({ id, cwd: '/w' })
  await mkdir(dirname(target), { recursive: true })
  await copyFile(path, target)
  const { events } = await context.sessionPersistence.inspect(id)
  console.log(events.length, foldSurface(events).nodes.length)
} finally {
  await rm(root, { recursive: true, force: true })
}
