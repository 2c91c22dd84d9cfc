/** A path as one word of a command line that somebody may copy: nothing in it acts, and it is taken for no option. */
export function shellWord(path: string): string {
  const safe = path.startsWith('-') && path !== '-' ? `./${path}` : path
  return /^[\w./~:#@%+=,-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", String.raw`'\''`)}'`
}
