import { runUntilExit } from './child.mjs'
import { ensureInstalled, runtime } from './installation.mjs'

/*
 * `npm run assay -- …`: installs what is missing, then runs the command line.
 */

ensureInstalled('run')
runUntilExit(runtime() ?? process.execPath, ['server/src/command.ts', ...process.argv.slice(2)])
