/** Every mutation, by family. A name is unique: the table of differences refers to it. */
import { byteMutations } from './byte-mutations.ts'
import { envelopeMutations } from './envelope-mutations.ts'
import { headerMutations } from './header-mutations.ts'
import { legacyMutations } from './legacy-mutations.ts'
import { messageMutations } from './message-mutations.ts'
import type { Mutation } from './mutation.ts'
import { orderMutations } from './order-mutations.ts'
import { packedRowMutations } from './packed-row-mutations.ts'
import { payloadMutations } from './payload-mutations.ts'
import { randomMutations } from './random-mutations.ts'
import { surfaceMutations } from './surface-mutations.ts'

export const mutationFamilies: Readonly<Record<string, readonly Mutation[]>> = {
  surface: surfaceMutations,
  envelope: envelopeMutations,
  messages: messageMutations,
  order: orderMutations,
  'packed rows': packedRowMutations,
  bytes: byteMutations,
  header: headerMutations,
  legacy: legacyMutations,
  payload: payloadMutations,
  random: randomMutations,
}
