/**
 * The view of every report schema. To add a command: write its view, and add a row here and in `commands/index.ts`.
 */
import { checkView } from './check-view.ts'
import { classifyView } from './classify-view.ts'
import { convertView } from './convert-view.ts'
import { explainView } from './explain-view.ts'
import { historyView } from './history-view.ts'
import { infoView } from './info-view.ts'
import { lsView } from './ls-view.ts'
import { messagesView } from './messages-view.ts'
import { repairView } from './repair-view.ts'
import { surfaceReportView } from './surface-view.ts'
import { transcriptView } from './transcript-view.ts'
import { undoView } from './undo-view.ts'
import type { View } from './view.ts'
import { whyView } from './why-view.ts'

const VIEWS: Readonly<Record<string, View>> = {
  'resurface/check@1': checkView,
  'resurface/classify@1': classifyView,
  'resurface/convert@1': convertView,
  'resurface/explain@1': explainView,
  'resurface/history@1': historyView,
  'resurface/info@1': infoView,
  'resurface/ls@1': lsView,
  'resurface/messages@1': messagesView,
  'resurface/repair@1': repairView,
  'resurface/surface@1': surfaceReportView,
  'resurface/transcript@1': transcriptView,
  'resurface/undo@1': undoView,
  'resurface/why@1': whyView,
}

export function isKnownSchema(schema: unknown): schema is string {
  return typeof schema === 'string' && Object.hasOwn(VIEWS, schema)
}

export function viewOf(schema: string): View {
  const view = VIEWS[schema]
  if (view === undefined) throw new Error(`no view for ${schema}`)
  return view
}
