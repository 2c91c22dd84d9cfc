/**
 * How a database stores sessions, decided by its columns: some schema numbers name two shapes, and a number can be
 * wrong. The number and the application id are judged separately, as DSH judges them before it opens a database
 * (format.md §3.1); a database that DSH would refuse is read all the same where its columns allow it.
 */
import type { ContainerFault } from '../record-source.ts'
import type { Connection } from './load-native.ts'
import { APPLICATION_ID, isDefinedAs, TABLES } from './schema-ddl.ts'
import { damageOf } from './sqlite-damage.ts'

export interface DatabaseShape {
  /** How `source_event_seqs` is written. `absent`: neither it nor `surface_op` is there. */
  readonly sources: 'absent' | 'json' | 'varint' | 'tagged-varint'
  readonly ignorable: boolean
  /** What tells a packed row from an event. */
  readonly packedBy: 'nothing' | 'ignorable' | 'is_packed'
  /** Sessions have a number of their own; the id is `sessions.session_key`. */
  readonly integerKeys: boolean
  readonly sessionColumns: ReadonlySet<string>
}

export interface SchemaReading {
  readonly shape: DatabaseShape | undefined
  readonly faults: readonly ContainerFault[]
}

type SchemaCode = 'database/schema' | 'database/foreign' | 'database/damaged'

export function readSchema(connection: Connection): SchemaReading {
  const faults: ContainerFault[] = []
  const report = (code: SchemaCode, problem: string): void => {
    faults.push({ kind: 'fault', code, origin: {}, args: { problem }, losesRecords: false })
  }
  try {
    const version = connection.pragma('user_version', { simple: true }) as number
    const applicationId = connection.pragma('application_id', { simple: true }) as number
    const objects = objectsOf(connection)
    const shape = shapeOf(connection, objects)
    checkIdentity(version, applicationId, report)
    if (shape === undefined) {
      const found = objects.length === 0 ? 'no tables' : 'no tables of sessions and events that can be read'
      report('database/schema', `the database holds ${found}`)
    } else {
      checkVersion(version, shape, report)
      if (version >= FIRST_WITH_IDENTITY) checkObjects(version, objects, report)
    }
    return { shape, faults }
  } catch (error) {
    const damage = damageOf(error)
    if (damage === undefined) throw error
    report('database/damaged', `its schema cannot be read: ${damage}`)
    return { shape: undefined, faults }
  }
}

interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly sql: string | null
}

function objectsOf(connection: Connection): readonly SchemaObject[] {
  const found = connection.prepare(
    // A definition that damage turned into a blob is none.
    `SELECT type, name, CASE typeof(sql) WHEN 'text' THEN sql END AS sql FROM sqlite_schema
     WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  )
  return found.all() as SchemaObject[]
}

function shapeOf(connection: Connection, objects: readonly SchemaObject[]): DatabaseShape | undefined {
  const sessions = columnsOf(connection, objects, 'sessions')
  const events = columnsOf(connection, objects, 'events')
  const integerKeys = sessions.has('session_key')
  const needed = ['session_id', 'seq', 'type', 'time', 'data']
  if (!sessions.has('id') || needed.some((column) => !events.has(column))) return undefined
  const declared = events.get('source_event_seqs')
  const sources =
    declared === undefined || !events.has('surface_op')
      ? 'absent'
      : declared === 'TEXT'
        ? 'json'
        : integerKeys
          ? 'tagged-varint'
          : 'varint'
  const ignorable = events.has('ignorable')
  const packs = sources === 'varint' || sources === 'tagged-varint'
  const packedBy = events.has('is_packed') ? 'is_packed' : packs && ignorable ? 'ignorable' : 'nothing'
  return { sources, ignorable, packedBy, integerKeys, sessionColumns: new Set(sessions.keys()) }
}

/** Name and declared type of every column; empty unless `table` is an ordinary table. */
function columnsOf(
  connection: Connection,
  objects: readonly SchemaObject[],
  table: string,
): ReadonlyMap<string, string> {
  const ordinary = objects.some(
    ({ type, name, sql }) => type === 'table' && name === table && !/^\s*CREATE\s+VIRTUAL/i.test(sql ?? ''),
  )
  if (!ordinary) return new Map()
  const found = connection.prepare('SELECT name, upper(type) AS type FROM pragma_table_info(?)').all(table)
  return new Map((found as { name: string; type: string }[]).map(({ name, type }) => [name, type]))
}

// The rules of DSH ---------------------------------------------------------------------------------------------------

const FIRST_WITH_IDENTITY = 10
const NEWEST = 20

function checkIdentity(
  version: number,
  applicationId: number,
  report: (code: SchemaCode, problem: string) => void,
): void {
  if (version === 0) {
    report('database/foreign', 'the database has an unversioned schema or application identity')
    return
  }
  const expected = version < FIRST_WITH_IDENTITY ? 0 : APPLICATION_ID
  if (applicationId !== expected) {
    report('database/foreign', `the database has application id ${applicationId}, expected ${expected}`)
  }
}

function checkVersion(
  version: number,
  shape: DatabaseShape,
  report: (code: SchemaCode, problem: string) => void,
): void {
  const family = familyOf(shape)
  const says = `the database says schema version ${version}`
  if (version > NEWEST || version < 0)
    report('database/schema', `${says}, which is newer than any that is known`)
  else if (version === 16 || version === 18)
    report('database/schema', `${says}, which no build of DSH writes`)
  else if (version >= 1 && version <= 3) {
    report('database/schema', `${says}, from before the first release; its columns are shown as they are`)
  } else if (version > 0 && familyOfVersion(version) !== family) {
    report('database/schema', `${says}, but its columns are those of schema ${family}`)
  }
}

function familyOf({ sources, ignorable, packedBy }: DatabaseShape): string {
  if (sources === 'absent') return '1 to 3'
  if (sources === 'json') return ignorable ? '15' : '4 to 14'
  if (sources === 'varint') return '17'
  return packedBy === 'is_packed' ? '19' : '20'
}

function familyOfVersion(version: number): string {
  return version <= 14 ? '4 to 14' : String(version)
}

function checkObjects(
  version: number,
  objects: readonly SchemaObject[],
  report: (code: SchemaCode, problem: string) => void,
): void {
  const names = TABLES[17].map(({ name }) => name)
  const extra = objects.filter(({ type, name }) => type !== 'table' || !names.includes(name))
  const missing = names.filter((name) => !objects.some((object) => object.name === name))
  const definitions = version === 14 || version === 17 ? TABLES[version] : []
  const different = definitions.filter((definition) =>
    objects.some(({ name, sql }) => name === definition.name && !isDefinedAs(sql ?? '', definition)),
  )
  const problems = [
    ...extra.map(({ type, name }) => `${type} ${name} does not belong there`),
    ...missing.map((name) => `table ${name} is missing`),
    ...different.map(({ name }) => `table ${name} is defined differently`),
  ]
  if (problems.length > 0) {
    report(
      'database/schema',
      `the database does not hold exactly the required tables: ${problems.join(', ')}`,
    )
  }
}
