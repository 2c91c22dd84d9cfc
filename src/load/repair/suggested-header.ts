/**
 * A header for a log that has lost its own: from what can be read of its line, from where DSH keeps the log, from another
 * session of the same store, and from what the events say (format.md §1). What none of them tells is not invented.
 */
import { basename, dirname, resolve } from 'node:path'
import type { SessionHeader } from '../../core/event/session-event.ts'
import type { JsonObject, JsonValue } from '../../core/json/json-value.ts'
import type { HeaderSources } from '../../core/repair/repair-step.ts'
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

export interface HeaderClues {
  /** Where the log lies. */
  readonly file: string
  readonly facts: EventFacts
  /** The format that the shapes of the rows speak for. */
  readonly version: number | undefined
  /** What can be read of the lost line. */
  readonly torn: JsonObject | undefined
  /** Another session of the same store. */
  readonly like: SessionHeader | undefined
}

export interface SuggestedHeader {
  readonly header: JsonObject
  /** What each member comes from. */
  readonly from: HeaderSources
  /** Required members that nothing tells. */
  readonly missing: readonly string[]
}

/** The format of a log whose header does not tell it. */
export function toldVersion({ file, torn, version, like }: Omit<HeaderClues, 'facts'>): Told {
  const told: readonly Told[] = [
    ['line', torn?.version],
    ['events', version],
    ['place', generationOf(basename(file))?.version],
  ]
  return told.find(([, value]) => value !== undefined) ?? ['like', like?.version]
}

type Told = readonly [source: HeaderSources[string], value: JsonValue | undefined]

export function suggestedHeader(clues: HeaderClues): SuggestedHeader {
  const { file, facts, torn = {}, like } = clues
  const header: Record<string, JsonValue> = { type: 'session' }
  const from: Record<string, HeaderSources[string]> = {}
  const missing: string[] = []
  const place = placeOf(file)
  const set = (member: string, isRequired: boolean, ...told: readonly Told[]): void => {
    const [source, value] = told.find(([, value]) => value !== undefined) ?? []
    if (source !== undefined && value !== undefined) {
      header[member] = value
      from[member] = source
    } else if (isRequired) missing.push(member)
  }
  const line = (member: string): Told => ['line', torn[member]]
  set('version', true, toldVersion(clues))
  set('id', true, line('id'), ['place', place?.id], ['file', like && namedId(file, like.id)])
  set('createdAt', true, line('createdAt'), ['events', Math.max(0, facts.firstTime)])
  const cwd = like?.cwd
  const isOfProject = cwd !== undefined && (place === undefined || projectKey(cwd) === place.project)
  set('cwd', false, line('cwd'), ['like', isOfProject ? cwd : undefined], ['place', place?.cwd])
  for (const member of ['parentSession', 'seedLength', 'origin', 'agentPreset'])
    set(member, false, line(member))
  if (Number(header.version) >= 2) set('isSeeded', true, line('isSeeded'), ['events', facts.isSeeded])
  set('delegationDepth', true, line('delegationDepth'), ['usual', torn.origin === 'subagent' ? 1 : 0])
  return { header, from, missing }
}

/** DSH names the folder of a session by its id; a copy is often named by it. Any other name is no id. */
function namedId(file: string, other: string): string | undefined {
  const full = resolve(file)
  const isGeneration = generationOf(basename(full)) !== undefined
  const name = isGeneration ? decodeSegment(basename(dirname(full))) : basename(full).replace(LOG_ENDING, '')
  return isLike(name, other) ? name : undefined
}

/** Whether two ids are made alike: of as many parts, each of them the same word, or random and of the same length. */
function isLike(id: string, other: string): boolean {
  const parts = id.split(PART_END)
  const others = other.split(PART_END)
  return (
    parts.length === others.length &&
    parts.every((part, at) => {
      const same = others[at] as string
      return part === same || (part.length === same.length && RANDOM.test(part) && RANDOM.test(same))
    })
  )
}

const PART_END = /[-_.]/
/** Hexadecimal, or letters with digits among them; of a shorter part one cannot tell. */
const RANDOM = /^(?:[0-9a-f]{4,}|(?=.*\d)[0-9a-z]{4,})$/i

const LOG_ENDING = /\.(?:jsonl(?:\.zstd?)?|zstd?)$/i

interface Place {
  readonly id: string
  readonly project: string
  readonly cwd: string | undefined
}

/** `undefined` when the log does not lie where its place would name it. */
function placeOf(file: string): Place | undefined {
  const full = resolve(file)
  const generation = generationOf(basename(full))
  const session = dirname(full)
  const project = basename(dirname(session))
  if (generation === undefined || !isProjectDirectory(project)) return undefined
  return { id: decodeSegment(basename(session)), project, cwd: workingDirectory(project) }
}

/** The name of a project directory does not say which of its dashes were slashes: the simplest reading is taken. */
function workingDirectory(project: string): string | undefined {
  if (project === NO_CWD) return undefined
  const path = `/${project.slice(2, -2).replaceAll('-', '/')}`
  return projectKey(path) === project ? path : undefined
}
