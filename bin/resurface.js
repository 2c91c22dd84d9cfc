#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { exitOnSignals, main } from '../dist/cli/main.js'

// Garbage may take half as much room as what is in use, and not several times as much.
setFlagsFromString('--heap-growing-percent=50')
exitOnSignals()
process.exitCode = await main(process.argv.slice(2))
