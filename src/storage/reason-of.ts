/** No system takes such a name, and Node says so in its own way. */
export const NUL_IN_NAME = 'no name of a file has a NUL in it'

/** Why the system would not do something, in words that a person knows. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'there is no space left',
  EROFS: 'the file system is read-only',
  EFBIG: 'the file would be larger than is allowed',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reports an error',
  EBUSY: 'it is in use',
  ENOTDIR: 'a part of its path is not a folder',
  ERR_INVALID_ARG_VALUE: NUL_IN_NAME,
}

export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error))
}
