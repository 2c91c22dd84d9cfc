#!/usr/bin/env node
import { main } from '../dist/cli/main.js'

// A signal ends the run through an exit, which removes private copies.
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))
process.exitCode = await main(process.argv.slice(2))
