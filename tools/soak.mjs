import { spawn } from 'node:child_process'
import { ensureInstalled, root, runtime } from './installation.mjs'

/*
 * `npm run soak`: a service under steady load for ten minutes, or `--minutes` (bench/soak.ts).
 */

ensureInstalled('all')
const soak = spawn(runtime() ?? process.execPath, ['bench/soak.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => soak.kill(signal))
}
soak.on('exit', (code) => process.exit(code ?? 1))
