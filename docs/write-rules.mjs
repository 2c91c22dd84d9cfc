/** Writes rules.md from the built registry: `npm run docs`. */
import { writeFileSync } from 'node:fs'
import { rulesPage } from '../dist/report/rules-page.js'

writeFileSync(new URL('rules.md', import.meta.url), [...rulesPage()].join(''))
