/** What a file is that holds no log, by how it begins: it may be packed, and the log in it. */
const PACKED: readonly (readonly [name: string, start: string, at?: number])[] = [
  ['a ZIP archive', 'PK\x03\x04'],
  ['a 7-Zip archive', "7z\xbc\xaf'\x1c"],
  ['a tar archive', 'ustar', 257],
  ['an xz file', '\xfd7zXZ\0'],
  ['a bzip2 file', 'BZh'],
  ['an LZ4 file', '\x04"M\x18'],
]

/** @param bytes - the first line of the file. */
export function packedAs(bytes: Buffer): string | undefined {
  const [name] =
    PACKED.find(([, start, at = 0]) => bytes.toString('latin1', at, at + start.length) === start) ?? []
  return name
}
