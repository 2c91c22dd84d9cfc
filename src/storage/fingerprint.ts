/** Identity of a file's content at one moment, cheap enough to take before and after reading. */
import { statSync } from 'node:fs'

export interface Fingerprint {
  readonly device: bigint
  readonly inode: bigint
  readonly size: bigint
  readonly modifiedNs: bigint
}

export async function fingerprintFile(path: string): Promise<Fingerprint> {
  const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true })
  return { device: dev, inode: ino, size, modifiedNs: mtimeNs }
}

export function sameFingerprint(a: Fingerprint, b: Fingerprint): boolean {
  return a.device === b.device && a.inode === b.inode && a.size === b.size && a.modifiedNs === b.modifiedNs
}
