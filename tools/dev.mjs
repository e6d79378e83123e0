import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { ensureInstalled, root, runtime } from './installation.mjs'

/*
 * `npm run dev`: the server behind the pages' own development server, at the address that `npm start` has.
 * Both reload what changes.
 */

ensureInstalled('all')
const node = runtime() ?? process.execPath
const port = process.env.ASSAY_PORT ?? '4600'
const serverPort = String(await freePort())

const server = spawn(node, ['--watch', '--watch-preserve-output', 'server/src/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ASSAY_PORT: serverPort, ASSAY_BASE_URL: `http://localhost:${port}` },
})
const pages = spawn(node, ['tools/serve-pages.ts', port, serverPort], {
  cwd: root,
  stdio: 'inherit',
})

for (const [child, other] of [
  [server, pages],
  [pages, server],
]) {
  child?.on('exit', (code) => {
    other?.kill()
    process.exitCode = code ?? 1
  })
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    server.kill(signal)
    pages.kill(signal)
  })
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
