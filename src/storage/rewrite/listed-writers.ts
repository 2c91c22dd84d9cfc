/** Which processes have a file open for writing, as `lsof` lists them: for systems without `/proc`, such as macOS. */
import { execFile } from 'node:child_process'

/** Other processes, by their ids; none where there is no `lsof` (Windows), or where it may not look. */
export async function listedWriters(path: string): Promise<readonly string[]> {
  const text = await listed(path)
  const pids: string[] = []
  let pid = ''
  // A line for each process, then one for each of its descriptors: how it was opened.
  for (const line of text.split('\n')) {
    if (line.startsWith('p')) pid = line.slice(1)
    else if (/^a[wu]/.test(line) && pid !== String(process.pid) && !pids.includes(pid)) pids.push(pid)
  }
  return pids
}

/** It ends with 1 when no process has the file open. */
function listed(path: string): Promise<string> {
  return new Promise((resolve) => {
    execFile('lsof', ['-w', '-F', 'pa', '--', path], { timeout: LONGEST_MS }, (_error, stdout) =>
      resolve(stdout),
    )
  })
}

/** A network file system that does not answer must not hold up a repair for ever. */
const LONGEST_MS = 20_000
