import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { ensureInstalled, root, runtime } from './installation.mjs'

/*
 * `npm run dev`: the server behind the pages' development servers, at the addresses of `npm start`. Both
 * reload on change. `node --watch` does not work here: it sends its own messages through worker threads,
 * and does not see the files they load.
 */

ensureInstalled('all')
const node = runtime() ?? process.execPath
const port = process.env.ASSAY_PORT ?? '4600'
const chatPort = process.env.ASSAY_CHAT_PORT ?? '4601'
const serverPort = String(await freePort())
const chatServerPort = String(await freePort())
const quietMs = 150

let isEnding = false
let server = startServer()
const served = ['web/tracing', port, serverPort, 'web/chat', chatPort, chatServerPort]
const pages = spawn(node, ['tools/serve-pages.ts', ...served], { cwd: root, stdio: 'inherit' })
pages.on('exit', (code) => end(code ?? 1))

/** @type {NodeJS.Timeout | undefined} */
let restart
for (const folder of ['server/src', 'contract/src']) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (file === null || file.endsWith('.test.ts')) return
    clearTimeout(restart)
    restart = setTimeout(restartServer, quietMs)
  })
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => end(0))
}

function startServer() {
  return spawn(node, ['server/src/main.ts'], {
    cwd: root,
    // The server stops when this process is killed and the IPC channel closes.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ASSAY_PORT: serverPort,
      ASSAY_BASE_URL: `http://localhost:${port}`,
      ASSAY_CHAT_PORT: chatServerPort,
      ASSAY_CHAT_BASE_URL: `http://localhost:${chatPort}`,
    },
  })
}

/** The data folder belongs to one process at a time: the old process must have exited. */
function restartServer() {
  const again = () => {
    if (!isEnding) server = startServer()
  }
  if (server.exitCode !== null || server.signalCode !== null) again()
  else server.once('exit', again).kill('SIGTERM')
}

/** @param {number} code */
function end(code) {
  if (isEnding) return
  isEnding = true
  pages.kill()
  const leave = () => process.exit(code)
  if (server.exitCode !== null || server.signalCode !== null) leave()
  else server.once('exit', leave).kill('SIGTERM')
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
