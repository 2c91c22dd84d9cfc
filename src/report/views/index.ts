/**
 * The view of every report schema, loaded when a report of it is printed, and its main list. To add a command: write its
 * view, and add a row here and in `commands/index.ts`.
 */
import type { View } from './view.ts'

interface ViewEntry {
  readonly load: () => Promise<View>
  /** The list in `data` that NDJSON prints a line each, and the `kind` of its lines. */
  readonly rows?: { readonly member: string; readonly kind: string }
}

const VIEWS: Readonly<Record<string, ViewEntry>> = {
  'resurface/anonymize@1': {
    load: async () => (await import('./anonymize-view.ts')).anonymizeView,
    rows: { member: 'fields', kind: 'field' },
  },
  'resurface/bisect@1': {
    load: async () => (await import('./bisect-view.ts')).bisectView,
  },
  'resurface/check@1': {
    load: async () => (await import('./check-view.ts')).checkView,
  },
  'resurface/classify@1': {
    load: async () => (await import('./classify-view.ts')).classifyView,
    rows: { member: 'events', kind: 'event' },
  },
  'resurface/completion@1': {
    load: async () => (await import('./completion-view.ts')).completionView,
  },
  'resurface/convert@1': {
    load: async () => (await import('./convert-view.ts')).convertView,
  },
  'resurface/crash-points@1': {
    load: async () => (await import('./crash-points-view.ts')).crashPointsView,
    rows: { member: 'points', kind: 'point' },
  },
  'resurface/diff@1': {
    load: async () => (await import('./diff-view.ts')).diffView,
    rows: { member: 'changes', kind: 'change' },
  },
  'resurface/explain@1': {
    load: async () => (await import('./explain-view.ts')).explainView,
    rows: { member: 'rules', kind: 'rule' },
  },
  'resurface/history@1': {
    load: async () => (await import('./history-view.ts')).historyView,
    rows: { member: 'events', kind: 'event' },
  },
  'resurface/info@1': {
    load: async () => (await import('./info-view.ts')).infoView,
  },
  'resurface/ls@1': {
    load: async () => (await import('./ls-view.ts')).lsView,
    rows: { member: 'sessions', kind: 'session' },
  },
  'resurface/messages@1': {
    load: async () => (await import('./messages-view.ts')).messagesView,
    rows: { member: 'messages', kind: 'message' },
  },
  'resurface/minimize@1': {
    load: async () => (await import('./minimize-view.ts')).minimizeView,
  },
  'resurface/repair@1': {
    load: async () => (await import('./repair-view.ts')).repairView,
    rows: { member: 'steps', kind: 'step' },
  },
  'resurface/report@1': {
    load: async () => (await import('./report-view.ts')).reportView,
    rows: { member: 'entries', kind: 'entry' },
  },
  'resurface/surface@1': {
    load: async () => (await import('./surface-view.ts')).surfaceReportView,
    rows: { member: 'nodes', kind: 'node' },
  },
  'resurface/transcript@1': {
    load: async () => (await import('./transcript-view.ts')).transcriptView,
    rows: { member: 'entries', kind: 'entry' },
  },
  'resurface/undo@1': {
    load: async () => (await import('./undo-view.ts')).undoView,
  },
  'resurface/watch@1': {
    load: async () => (await import('./watch-view.ts')).watchView,
    rows: { member: 'found', kind: 'finding' },
  },
  'resurface/why@1': {
    load: async () => (await import('./why-view.ts')).whyView,
  },
}

export function isKnownSchema(schema: unknown): schema is string {
  return typeof schema === 'string' && Object.hasOwn(VIEWS, schema)
}

export function loadView(schema: string): Promise<View> {
  return entryOf(schema).load()
}

export function rowsOf(schema: string): ViewEntry['rows'] {
  return entryOf(schema).rows
}

function entryOf(schema: string): ViewEntry {
  const entry = VIEWS[schema]
  if (entry === undefined) throw new Error(`no view for ${schema}`)
  return entry
}
