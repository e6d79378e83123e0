import { runChecks } from './check-steps.mjs'
import { ensureInstalled } from './installation.mjs'

/*
 * `npm run check`: everything about the sources and documents that needs no test to run.
 */

ensureInstalled('all')
const { failed } = await runChecks()
process.exit(failed === 0 ? 0 : 1)
