/** Every run draws the same random inputs; RESURFACE_SEED draws others. */
import fc from 'fast-check'

const chosen = Number(process.env.RESURFACE_SEED)
fc.configureGlobal({ seed: Number.isSafeInteger(chosen) && chosen !== 0 ? chosen : 20261130 })
