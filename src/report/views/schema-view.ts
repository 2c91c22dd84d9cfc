/** The document alone: what is printed can be given to a validator. */
import { pretty } from '../json-text.ts'
import type { View } from './view.ts'

export const schemaView: View<'schema'> = {
  *sections({ data }) {
    yield { kind: 'code', text: pretty(data.document) }
  },
}
