/** Damage to the bytes of a file, whatever it is. */
import type { Random } from '../oracle/random.ts'

type Damage = (bytes: Buffer, random: Random) => Buffer

export function damageBytes(bytes: Buffer, random: Random): { bytes: Buffer; done: string[] } {
  let damaged = bytes
  const done: string[] = []
  for (let count = random.chance(0.35) ? random.whole(1, 2) : 0; count > 0 && damaged.length > 0; count--) {
    const [name, damage] = random.pick(Object.entries(DAMAGES))
    damaged = damage(damaged, random)
    done.push(name)
  }
  return { bytes: damaged, done }
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  'flipped bit': (bytes, random) => {
    const copy = Buffer.from(bytes)
    const at = random.whole(0, copy.length - 1)
    copy[at] = (copy[at] as number) ^ (1 << random.whole(0, 7))
    return copy
  },
  'changed byte': (bytes, random) => {
    const copy = Buffer.from(bytes)
    copy[random.whole(0, copy.length - 1)] = random.whole(0, 255)
    return copy
  },
  'cut off': (bytes, random) => bytes.subarray(0, random.whole(0, bytes.length - 1)),
  'bytes lost': (bytes, random) => {
    const [at, length] = range(bytes, random)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
  },
  'bytes twice': (bytes, random) => {
    const [at, length] = range(bytes, random)
    return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)])
  },
  zeros: (bytes, random) => {
    const [at, length] = range(bytes, random)
    return Buffer.from(bytes).fill(0, at, Math.min(at + length, bytes.length))
  },
  'bytes appended': (bytes, random) =>
    Buffer.concat([bytes, Buffer.alloc(random.whole(1, 600), random.pick([0, 0xff, 0x28, 0x7b, 0x0a]))]),
}

function range(bytes: Buffer, random: Random): [at: number, length: number] {
  return [random.whole(0, bytes.length - 1), random.whole(1, 400)]
}
