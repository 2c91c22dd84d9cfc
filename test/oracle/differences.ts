/**
 * Every difference between resurface and DSH 0.1.0-rc.8 that is kept on purpose, with its reason. The key is the name
 * of the mutation that shows it. A row that no longer shows a difference fails the suite.
 */
export interface Difference {
  /** The question that gets different answers. */
  readonly about: 'acceptance' | 'strict acceptance'
  readonly dsh: boolean
  readonly resurface: boolean
  readonly reason: string
}

type Kept = Omit<Difference, 'reason'>

const onlyResurfaceOpens: Kept = { about: 'acceptance', dsh: false, resurface: true }
const onlyDshOpens: Kept = { about: 'acceptance', dsh: true, resurface: false }
const onlyResurfaceTakes: Kept = { about: 'strict acceptance', dsh: false, resurface: true }

const LATER_RELEASE = 'format 0 as 0.1.2 writes it: resurface reads all of format 0, not only what rc.8 knows'
const OTHER_SYSTEM =
  'a log travels between systems, so a path that is absolute on Windows is absolute everywhere'
const SPECIFIED =
  'the surface specification lists context/message among the surface types; no build of DSH has it'

export const differences: Readonly<Record<string, Difference>> = {
  'a header of format 1 and no events': {
    ...onlyResurfaceOpens,
    reason:
      'rc.8 reads format 0 alone; whether the readers of format 1 open the log is what resurface answers',
  },
  'model/selection of 0.1.2': { ...onlyResurfaceOpens, reason: LATER_RELEASE },
  'subagent/model-selection-policy of 0.1.2': { ...onlyResurfaceOpens, reason: LATER_RELEASE },
  'session-log-deepseek/delivery-accepted of 0.1.2': { ...onlyResurfaceOpens, reason: LATER_RELEASE },
  'range-encoded sources of 0.1.2': { ...onlyResurfaceOpens, reason: LATER_RELEASE },
  'header cwd on a drive of Windows': { ...onlyResurfaceOpens, reason: OTHER_SYSTEM },
  'header cwd on a share of Windows': { ...onlyResurfaceOpens, reason: OTHER_SYSTEM },
  'context/message, which no build writes': { ...onlyResurfaceTakes, reason: SPECIFIED },
  'context/message to be ignored': { ...onlyDshOpens, reason: SPECIFIED },
  'context/message to be ignored with surfaceOp': { ...onlyResurfaceOpens, reason: SPECIFIED },
  'null for a row, no turn end after it': {
    ...onlyResurfaceOpens,
    reason: 'rc.8 ends with a TypeError, a bug; resurface treats the line like any other that cannot be read',
  },
}
