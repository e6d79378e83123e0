import { spawn } from 'node:child_process'
import { ensureInstalled, root, runtime } from './installation.mjs'

/*
 * `npm run assay -- …`: installs what is missing and passes the words on.
 */

ensureInstalled('run')
const node = runtime() ?? process.execPath
const command = spawn(node, ['server/src/command.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => command.kill(signal))
}
command.on('exit', (code) => process.exit(code ?? 1))
