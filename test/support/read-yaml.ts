/** A YAML file of the project, which must be without a fault and without a warning. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseDocument } from 'yaml'

export interface YamlFile {
  readonly path: string
  readonly value: unknown
  /** The lines of the comment at its head. */
  readonly head: readonly string[]
}

/** @param name - from the root of the project. */
export function readYaml(name: string): YamlFile {
  const path = fileURLToPath(new URL(`../../${name}`, import.meta.url))
  const text = readFileSync(path, 'utf8')
  const document = parseDocument(text, { strict: true })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem !== undefined) throw problem
  const lines = text.split('\n')
  const head = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('#')),
  )
  return { path, value: document.toJS(), head: head.map((line) => line.slice(1).trim()) }
}
