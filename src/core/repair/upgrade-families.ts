/**
 * The families of refusals that an upgrade mends, each with what it is called, what is changed, and why nothing that
 * anybody said or saw is lost by it. `docs/upgrade.md` and the plan of a repair are made of these words.
 *
 * To add a family: add a row, and a mending in a file of this folder that names it.
 */
export interface Family {
  /** What was refused, as a heading: many of them. */
  readonly title: string
  /** Words of DSH when it refuses such a log; `…` stands for what differs. */
  readonly messages: readonly string[]
  readonly change: string
  readonly keeps: string
}

export const FAMILIES = {
  members: {
    title: 'members that the target does not have',
    messages: ['has unexpected member …', 'has unexpected field …'],
    change: 'the member is taken out',
    keeps: 'no reader of any release looks at it',
  },
  values: {
    title: 'optional members with an unusable value',
    messages: ['must be a non-empty string', 'must be a string', 'must be one of …'],
    change: 'the member is taken out',
    keeps: 'readers take what is optional and unusable for absent',
  },
  counts: {
    title: 'counts and times that are no numbers of their kind',
    messages: ['must be a non-negative safe integer', 'must be a safe integer', 'must be positive'],
    change:
      'the number that the log gives elsewhere, or the same number in its usual form; else the member is taken out',
    keeps: 'the value could not be used',
  },
  sources: {
    title: 'message sources that the target does not know',
    messages: ['cannot safely transform unclassified message source', 'source lacks required member …'],
    change: 'the source becomes a plugin source that names the producer',
    keeps: 'role and content stay, and the producer is still named',
  },
  forms: {
    title: 'plugin sources whose form and members do not go together',
    messages: [
      'summary requires notice form',
      'sections require snapshot form',
      'source form must be one of …',
      'source summary must be a string',
      'source sections must be an array',
    ],
    change: 'the form is taken out',
    keeps: 'a source without a form is taken as it is; producer and members stay',
  },
  descriptors: {
    title: 'subagent descriptors of another version',
    messages: ['uses unsupported descriptor version …'],
    change: 'the version becomes 3',
    keeps: 'the members are those of version 3 already',
  },
  'queued-messages': {
    title: 'queued messages without id or role',
    messages: [
      'agent/inbox/spliced … lacks required member "id"',
      'agent/inbox/spliced … lacks required member "role"',
    ],
    change:
      'the role is user; the id is that of the message when it was sent, else one made of session and seq',
    keeps: 'content and source stay',
  },
  'upload-marks': {
    title: 'upload marks that the target cannot place',
    messages: [
      'delivery marker claims target format …',
      'current-generation delivery marker names the wrong Session',
      'delivery-accepted … has unexpected member "sessionFormatVersion"',
    ],
    change: 'the mark leaves the log',
    keeps: 'it says how far an upload came, and nothing of the conversation',
  },
  'unknown-events': {
    title: 'events of unknown types',
    messages: [
      'contains unknown historical event type …',
      'contains unknown event type …',
      'cannot safely transform unclassified event …',
    ],
    change: 'the event leaves the log; later events are renumbered, with every reference to them',
    keeps: 'no reader of the target can use it',
  },
  streams: {
    title: 'answers that do not cite exactly the chunks of their own stream',
    messages: [
      'chunk provenance is not one complete ordered attempt',
      'does not cite its complete v1 chunk attempt',
    ],
    change: 'the answer cites its stream when their text agrees, else an empty one',
    keeps: 'the answer stays, and so do all chunks',
  },
  'first-step': {
    title: 'messages before the first step',
    messages: ['surface before first step cannot acquire a system head without changing chronology'],
    change: 'turn and step start before the message instead of after it',
    keeps: 'the messages keep their order',
  },
  'repeated-calls': {
    title: 'tool calls that are announced under the id of one that still waits',
    messages: ['repeats advertised tool call …'],
    change: 'the later call gets an id of its own, wherever it is named',
    keeps: 'names, arguments and results stay',
  },
  arguments: {
    title: 'tool calls that started under another id, name or other arguments than announced',
    messages: ['does not match one advertised tool call'],
    change: 'the start says what the message announces',
    keeps: 'the message that the model sees stays',
  },
  'unstarted-calls': {
    title: 'results of calls whose start was not recorded',
    messages: ['is not the exact TOOL_NOT_STARTED repair'],
    change: 'the start is put before the result, with the announced name and arguments',
    keeps: 'the result proves that the call ran',
  },
  'tool-errors': {
    title: 'tool errors on results that are not marked as errors',
    messages: ['carries error metadata for a non-error tool result'],
    change: 'the error is taken out; the result that the model sees is not marked later on',
    keeps: 'the result stays as it was sent',
  },
  'closer-ids': {
    title: 'results of interrupted calls with another id than releases give them',
    messages: [
      'TOOL_NOT_STARTED repair requires its canonical historical message id',
      'is not the exact TOOL_NOT_STARTED repair',
    ],
    change: 'the id is the one that the migration computes',
    keeps: 'the content stays; nothing else names the id',
  },
  places: {
    title: 'events that name another turn or step than the open one',
    messages: [
      'does not match an open turn and step',
      'does not open expected turn …',
      'does not match the open turn and next step',
      'does not match the current turn and step',
      'turn/end … has no matching open turn',
    ],
    change: 'the event names the turn and the step that are open; turns and steps count from 1 without holes',
    keeps: 'what is open says where the event belongs',
  },
  brackets: {
    title: 'turns and steps that are not closed before the next, or closed twice',
    messages: [
      'crosses an open step',
      'does not close the prior turn',
      'does not match the open turn and next step',
      'turn/end … has no matching open turn',
    ],
    change: 'the missing end is put in, a turn as interrupted; an end of nothing leaves the log',
    keeps: 'what follows proves that it had ended',
  },
  'open-compactions': {
    title: 'compactions that never ended',
    messages: ['crosses an open compaction'],
    change: 'an end that says so is put before the end of the turn',
    keeps: 'what the compaction had replaced stays as it is',
  },
} as const satisfies Readonly<Record<string, Family>>

export type FamilyName = keyof typeof FAMILIES

export const FAMILY_NAMES = Object.keys(FAMILIES) as readonly FamilyName[]
