/** A compressed log of very many small frames, as a session leaves it that is flushed after every event and crashes. */
import { writeFileSync } from 'node:fs'
import { writeStoredFrame } from '../../src/storage/zstd/frame-writer.ts'
import { log } from './log-builder.ts'

export interface ManyFrames {
  /** Offset of the torn frame after the whole ones. */
  readonly tornAt: number
  readonly frames: number
  readonly bytes: number
}

const CHUNKS_PER_TURN = 56
const TURN_ROWS = CHUNKS_PER_TURN + 6
const CHUNK_CHARACTERS = 130
const TORN_BYTES = 20

/** Turns of streamed text, one event a frame, at least `least` of them; then a turn that a crash cut off. */
export async function writeManyFrames(path: string, least: number): Promise<ManyFrames> {
  const built = log()
  for (let rows = 1; rows < least; rows += TURN_ROWS) {
    built.turn((turn) =>
      turn.user('go on').step((step) => {
        for (let n = 0; n < CHUNKS_PER_TURN; n++) step.chunk(`${n} `.padEnd(CHUNK_CHARACTERS, 'x'))
        step.assistant('done')
      }),
    )
  }
  built.openTurn((turn) => turn.user('more').openStep((step) => step.assistant('').call('c1', 'bash')))
  const frames: Buffer[] = []
  for (const line of built.lines())
    frames.push(await writeStoredFrame(Buffer.concat([line, Buffer.from('\n')])))
  const whole = Buffer.concat(frames)
  const torn = (await writeStoredFrame(Buffer.from('{"type":"tool/result"}\n'))).subarray(0, TORN_BYTES)
  writeFileSync(path, Buffer.concat([whole, torn]))
  return { tornAt: whole.length, frames: frames.length, bytes: whole.length + torn.length }
}
