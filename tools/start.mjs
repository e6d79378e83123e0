import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, root, runtime } from './installation.mjs'
import { ensurePagesBuilt } from './pages.mjs'

/*
 * `npm start`: installs and builds what is missing, then becomes the service's parent until it ends.
 */

ensureInstalled('run')
const node = runtime() ?? process.execPath
ensurePagesBuilt(node)

const service = spawn(node, ['server/src/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  // Sources are stripped of types and compiled once, not at every start.
  env: { NODE_COMPILE_CACHE: join(root, '.cache/node'), ...process.env },
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => service.kill(signal))
}
service.on('exit', (code) => process.exit(code ?? 1))
