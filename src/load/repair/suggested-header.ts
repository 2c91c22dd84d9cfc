/** A header for a log that has lost its own, from where DSH keeps the log and from what its events say (format.md §1). */
import { basename, dirname } from 'node:path'
import type { JsonObject } from '../../core/json/json-value.ts'
import {
  decodeSegment,
  generationOf,
  isProjectDirectory,
  NO_CWD,
  projectKey,
} from '../inputs/store-layout.ts'

export interface EventFacts {
  /** Time of the first event. */
  readonly firstTime: number
  /** Whether a marker ends an inherited part. */
  readonly isSeeded: boolean
}

/** The format that the name of the file promises; that of format 0 without one. */
export function promisedVersion(file: string): number {
  return generationOf(basename(file))?.version ?? 0
}

/** `undefined` when the log does not lie where its place would name it. */
export function suggestedHeader(file: string, { firstTime, isSeeded }: EventFacts): JsonObject | undefined {
  const project = basename(dirname(dirname(file)))
  if (generationOf(basename(file)) === undefined || !isProjectDirectory(project)) return undefined
  const version = promisedVersion(file)
  const cwd = workingDirectory(project)
  return {
    type: 'session',
    version,
    id: decodeSegment(basename(dirname(file))),
    createdAt: Math.max(0, firstTime),
    ...(cwd !== undefined && { cwd }),
    ...(version >= 2 && { isSeeded }),
    delegationDepth: 0,
  }
}

/** The name of a project directory does not say which of its dashes were slashes: the simplest reading is taken. */
function workingDirectory(project: string): string | undefined {
  if (project === NO_CWD) return undefined
  const path = `/${project.slice(2, -2).replaceAll('-', '/')}`
  return projectKey(path) === project ? path : undefined
}
