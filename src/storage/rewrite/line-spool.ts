/**
 * Lines that are known before the file that they belong to may be written. Few are held in memory, more in a private
 * file: what a repair takes out of a log may be most of it.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { copyInto } from '../file-ranges.ts'
import { type PrivateFolder, privateFolder } from '../left-behind.ts'

const HELD_CHARACTERS = 4 * 1024 * 1024

export class LineSpool {
  #held: string[] = []
  #characters = 0
  #folder: PrivateFolder | undefined
  #file: FileHandle | undefined

  get isEmpty(): boolean {
    return this.#held.length === 0 && this.#file === undefined
  }

  async add(line: string): Promise<void> {
    this.#held.push(`${line}\n`)
    this.#characters += line.length
    if (this.#characters > HELD_CHARACTERS) await this.#putAway()
  }

  async writeTo(target: FileHandle): Promise<void> {
    if (this.#folder !== undefined) await copyInto(fileIn(this.#folder), target)
    await target.writeFile(this.#held.join(''))
  }

  async close(): Promise<void> {
    await this.#file?.close()
    await this.#folder?.remove()
  }

  async #putAway(): Promise<void> {
    this.#folder ??= await privateFolder()
    this.#file ??= await open(fileIn(this.#folder), 'wx', 0o600)
    await this.#file.writeFile(this.#held.join(''))
    this.#held = []
    this.#characters = 0
  }
}

function fileIn(folder: PrivateFolder): string {
  return join(folder.path, 'lines')
}
