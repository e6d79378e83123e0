import { spawn } from 'node:child_process'
import { ensureInstalled, root, runtime } from './installation.mjs'
import { ensurePagesBuilt } from './pages.mjs'

/*
 * `npm start`: installs and builds what is missing, then becomes the service's parent until it ends.
 */

ensureInstalled('run')
const node = runtime() ?? process.execPath
ensurePagesBuilt(node)

const service = spawn(node, ['server/src/main.ts'], { cwd: root, stdio: 'inherit' })
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => service.kill(signal))
}
service.on('exit', (code) => process.exit(code ?? 1))
