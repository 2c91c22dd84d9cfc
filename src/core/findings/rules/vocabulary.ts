/** The envelope of an event, its type, and the shape of its data. */
import { family } from '../rule.ts'
import { about, MEND, REPAIR } from './shared-words.ts'

const ENVELOPES = {
  'unknown-member': 'unknown member %',
  type: 'type must be a string',
  time: 'time must be a whole number of milliseconds',
  'no-data': 'data is missing',
  ignorable: 'ignorable may only be true',
  'negative-zero': 'seq must not be -0',
  'null-data': 'the data of a % is null',
  'null-block': 'a content block is null',
  'not-lossless': 'it is not lossless JSON',
} as const

export const ENVELOPE = family(
  {
    refused: true,
  },
  {
    'envelope/invalid': {
      repairs: ['mend-rows'],
      title: 'an event is malformed',
      severity: 'error',
      layer: 'meaning',
      why: 'DSH checks every event as it reads it, and refuses the whole log because of this one.',
      fix: MEND,
      repairable: false,
      unread: true,
      source: 'format.md §2.3',
      args: { fault: ENVELOPES, member: 'name?', type: 'text?' },
      message: (a) => about(a.fault, a.type ?? a.member),
    },
  },
)

export const VOCABULARY = family(
  {
    severity: 'warning',
    layer: 'compatibility',
    repairable: false,
    source: 'format.md §4.3',
  },
  {
    'vocabulary/unknown-type': {
      readInFull: true,
      repairs: ['mark-ignorable'],
      title: 'an event type is unknown and not marked ignorable',
      why: 'A plugin or a newer DSH wrote the event. DSH does not know whether it may skip it, so it refuses the log and says that a newer harness is needed.',
      fix: 'Open the session with the DSH and the plugin that wrote it. If the events may be skipped, mark them: run "resurface repair LOG --allow-unknown".',
      refused: true,
      outcome: 'unsupported',
      args: { type: 'name', inherited: 'flag?' },
      message: (a) => `unknown event type ${a.type}, not marked ignorable${inheritedText(a.inherited)}`,
    },
    'vocabulary/early-name': {
      readInFull: true,
      repairs: ['mend-rows'],
      title: 'an event has the name that early builds gave its type',
      why: 'A build of June 2026 or earlier wrote it. DSH 0.1.0 to 0.1.2 do not know the name and refuse the log; releases from 0.1.3 on open it.',
      fix: `Open the session with DSH 0.1.3 or later. For an older DSH, a repair gives the events their present names. ${REPAIR}`,
      repairable: true,
      refused: true,
      outcome: 'unsupported',
      source: 'format.md §9.2',
      args: { type: 'name', name: 'name' },
      message: (a) => `${a.type} is called ${a.name} since the first release`,
    },
    'vocabulary/unknown-ignorable': {
      title: 'an event type is unknown but ignorable',
      severity: 'info',
      why: 'DSH skips such an event in its own format. Releases that migrate the log refuse the log because of it.',
      fix: 'Nothing to do while the session stays in format 0. For a later release, run "resurface repair LOG --target format-4".',
      refusedByMigration: true,
      source: 'format.md §4.3, §9.2',
      args: { type: 'name', inherited: 'flag?' },
      message: (a) => `unknown event type ${a.type}, marked ignorable${inheritedText(a.inherited)}`,
    },
    'vocabulary/newer-type': {
      title: 'older builds do not know an event type',
      severity: 'info',
      why: 'DSH added the type later: releases before the one named refuse the log.',
      fix: 'Nothing to do with that release or a later one.',
      refusedBefore012: true,
      args: { type: 'name', since: 'text' },
      message: (a) => `event type ${a.type} is known from DSH ${a.since} on`,
    },
    'vocabulary/retired': {
      readInFull: true,
      title: 'an event belongs to a retired vocabulary',
      why: 'A development build wrote it. No released DSH reads it, and all of them refuse the log.',
      fix: 'To read the session without DSH, run "resurface transcript LOG".',
      refused: true,
      outcome: 'unsupported',
      args: { what: 'name' },
      message: (a) => `retired ${a.what}`,
    },
  },
)

export const SOURCES = family(
  {},
  {
    'sources/ranges': {
      title: 'sources are written as ranges',
      severity: 'info',
      layer: 'compatibility',
      why: 'DSH 0.1.2 introduced the encoding: 0.1.0 and 0.1.1 refuse the log.',
      fix: 'Nothing to do with DSH 0.1.2 or later.',
      repairable: false,
      refusedBefore012: true,
      source: 'format.md §2.3',
      args: {},
      message: () => 'sourceEventSeqs are written as ranges, which DSH reads from 0.1.2 on',
    },
  },
)

/** What is wrong with an event of an early shape. */
export const EARLY_SHAPES = {
  message: 'neither {turn, message} nor {turn, content, source}',
  trigger: 'the trigger is not {kind}',
  data: 'data is not {turn, reason}',
  'no-kind': 'the reason has no kind',
  'other-members': 'the reason % has other members',
} as const

export const LEGACY = family(
  {
    repairable: false,
    source: 'format.md §9.1',
  },
  {
    'legacy/shape': {
      title: 'an event has an older shape that DSH upgrades while it reads',
      severity: 'info',
      layer: 'compatibility',
      why: 'An early build wrote it. DSH reads it as the present shape, and the file keeps the old one.',
      fix: 'Nothing to do.',
      args: { shape: 'name' },
      message: (a) => `older shape: ${a.shape}`,
    },
    'legacy/malformed': {
      repairs: ['mend-rows'],
      title: 'an event has neither its current nor its older shape',
      severity: 'error',
      layer: 'meaning',
      why: 'DSH reads the present shape and the older ones, and refuses the whole log because of any other.',
      fix: MEND,
      refused: true,
      args: { type: 'name', fault: EARLY_SHAPES, reason: 'text?' },
      message: (a) => `malformed ${a.type}: ${about(a.fault, a.reason)}`,
    },
  },
)

/** What was inherited is in the parent too, and has to be mended in both. */
function inheritedText(inherited: boolean | undefined): string {
  return inherited === true ? ', inherited from the parent session' : ''
}
