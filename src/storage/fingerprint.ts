/** Identity of a file's content at one moment, cheap enough to take before and after reading. */
import { type BigIntStats, statSync } from 'node:fs'

export interface Fingerprint {
  readonly device: bigint
  readonly inode: bigint
  readonly size: bigint
  readonly modifiedNs: bigint
}

export async function fingerprintFile(path: string): Promise<Fingerprint> {
  return fingerprintOf(statSync(path, { bigint: true }))
}

export function fingerprintOf({ dev, ino, size, mtimeNs }: BigIntStats): Fingerprint {
  return { device: dev, inode: ino, size, modifiedNs: mtimeNs }
}

export function sameFingerprint(a: Fingerprint, b: Fingerprint): boolean {
  return a.device === b.device && a.inode === b.inode && a.size === b.size && a.modifiedNs === b.modifiedNs
}
