import { runChecks } from './check-steps.mjs'
import { ensureInstalled } from './installation.mjs'

/*
 * `npm run check`: all checks of sources and documents that run no tests.
 */

ensureInstalled('all')
const { failed } = await runChecks()
process.exit(failed === 0 ? 0 : 1)
