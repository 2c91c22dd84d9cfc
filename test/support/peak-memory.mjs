/** Preloaded into a process with `--import`: writes its peak of memory in kilobytes to the file PEAK_FILE at its end. */
import { writeFileSync } from 'node:fs'

const { PEAK_FILE } = process.env
process.on('exit', () => writeFileSync(PEAK_FILE, String(process.resourceUsage().maxRSS)))
