/** Preloaded into a process with `--import`: writes what it took to the file COST_FILE at its end. */
import { writeFileSync } from 'node:fs'

const { COST_FILE } = process.env
process.on('exit', () => {
  const { maxRSS, userCPUTime } = process.resourceUsage()
  writeFileSync(COST_FILE, JSON.stringify({ kilobytes: maxRSS, milliseconds: userCPUTime / 1000 }))
})
