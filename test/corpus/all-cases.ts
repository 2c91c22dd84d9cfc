/** The corpus. To add a family: write it, and add a row here. */
import type { Case } from './case.ts'
import { cases as bookkeeping } from './cases/bookkeeping.ts'
import { cases as bytes } from './cases/bytes.ts'
import { cases as database } from './cases/database.ts'
import { cases as envelope } from './cases/envelope.ts'
import { cases as frame } from './cases/frame.ts'
import { cases as header } from './cases/header.ts'
import { cases as laterFormat } from './cases/later-format.ts'
import { cases as legacy } from './cases/legacy.ts'
import { cases as message } from './cases/message.ts'
import { cases as order } from './cases/order.ts'
import { cases as pair } from './cases/pair.ts'
import { cases as plugin } from './cases/plugin.ts'
import { cases as relation } from './cases/relation.ts'
import { cases as seed } from './cases/seed.ts'
import { cases as store } from './cases/store.ts'
import { cases as surface } from './cases/surface.ts'
import { cases as turn } from './cases/turn.ts'
import { cases as upgrade } from './cases/upgrade.ts'
import { cases as vocabulary } from './cases/vocabulary.ts'

/** By family: what the cases are about. */
export const FAMILIES = {
  bytes,
  frame,
  database,
  store,
  header,
  order,
  envelope,
  message,
  surface,
  pair,
  turn,
  vocabulary,
  plugin,
  upgrade,
  legacy,
  bookkeeping,
  'later-format': laterFormat,
  seed,
  relation,
}
export const ALL: readonly Case[] = Object.values(FAMILIES).flat()
