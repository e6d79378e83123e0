import { join } from 'node:path'
import { runUntilExit } from './child.mjs'
import { ensureInstalled, root, runtime } from './installation.mjs'
import { ensurePagesBuilt } from './pages.mjs'

/*
 * `npm start`: installs and builds what is missing, then runs the service.
 */

ensureInstalled('run')
const node = runtime() ?? process.execPath
await ensurePagesBuilt(node)

// With the cache, sources are stripped of types and compiled once rather than at every start.
runUntilExit(node, ['server/src/main.ts'], {
  NODE_COMPILE_CACHE: join(root, '.cache/node'),
  ...process.env,
})
