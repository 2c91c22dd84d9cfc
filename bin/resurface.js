#!/usr/bin/env node
import { exitOnSignals, main } from '../dist/cli/main.js'

exitOnSignals()
process.exitCode = await main(process.argv.slice(2))
