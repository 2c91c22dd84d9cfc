/** A git repository of a test's own, whatever the settings of anyone who runs the tests. */
import { execFileSync } from 'node:child_process'
import { type FileContent, fileTree } from './file-tree.ts'

export interface Repository {
  readonly root: string
  /** Adds these files to the index. */
  add(files: Readonly<Record<string, FileContent>>): void
  /** Runs git and gives the lines that it prints. */
  git(...args: readonly string[]): readonly string[]
}

const SETTINGS = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
const AUTHOR = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main']

export function gitRepository(files: Readonly<Record<string, FileContent>>): Repository {
  const root = fileTree(files)
  const git = (...args: readonly string[]): readonly string[] => {
    const { PATH = '' } = process.env
    const env = { PATH, ...SETTINGS }
    const printed = execFileSync('git', [...AUTHOR, ...args], { cwd: root, env, encoding: 'utf8' })
    return printed.split('\n').filter((line) => line !== '')
  }
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'first')
  return {
    root,
    git,
    add(more) {
      fileTree(more, root)
      git('add', '--all')
    },
  }
}
