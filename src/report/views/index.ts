/**
 * The view of every kind of report, loaded when a report of it is printed. To add a command: write its view, and add a
 * row here and in `commands/index.ts`.
 */
import { kindOf, type ReportKind, type SchemaName } from '../report.ts'
import type { View } from './view.ts'

const VIEWS: { readonly [Kind in ReportKind]: () => Promise<View<Kind>> } = {
  anonymize: async () => (await import('./anonymize-view.ts')).anonymizeView,
  bisect: async () => (await import('./bisect-view.ts')).bisectView,
  check: async () => (await import('./check-view.ts')).checkView,
  classify: async () => (await import('./classify-view.ts')).classifyView,
  completion: async () => (await import('./completion-view.ts')).completionView,
  convert: async () => (await import('./convert-view.ts')).convertView,
  'crash-points': async () => (await import('./crash-points-view.ts')).crashPointsView,
  diff: async () => (await import('./diff-view.ts')).diffView,
  explain: async () => (await import('./explain-view.ts')).explainView,
  events: async () => (await import('./events-view.ts')).eventsView,
  find: async () => (await import('./find-view.ts')).findView,
  info: async () => (await import('./info-view.ts')).infoView,
  ls: async () => (await import('./ls-view.ts')).lsView,
  mcp: async () => (await import('./mcp-view.ts')).mcpView,
  messages: async () => (await import('./messages-view.ts')).messagesView,
  minimize: async () => (await import('./minimize-view.ts')).minimizeView,
  repair: async () => (await import('./repair-view.ts')).repairView,
  report: async () => (await import('./report-view.ts')).reportView,
  schema: async () => (await import('./schema-view.ts')).schemaView,
  surface: async () => (await import('./surface-view.ts')).surfaceReportView,
  transcript: async () => (await import('./transcript-view.ts')).transcriptView,
  undo: async () => (await import('./undo-view.ts')).undoView,
  watch: async () => (await import('./watch-view.ts')).watchView,
  why: async () => (await import('./why-view.ts')).whyView,
}

export function loadView<Kind extends ReportKind>(schema: SchemaName<Kind>): Promise<View<Kind>> {
  return VIEWS[kindOf(schema)]()
}
