import { join } from 'node:path'
import { createServer } from 'vite'

/*
 * The pages' development server: `serve-pages.ts <port> <port of the server>`.
 */

const [port, serverPort] = process.argv.slice(2)
const target = `http://127.0.0.1:${serverPort}`

const pages = await createServer({
  root: join(import.meta.dirname, '../web/tracing'),
  logLevel: 'warn',
  server: {
    host: '127.0.0.1',
    port: Number(port),
    strictPort: true,
    proxy: {
      '/api': target,
      '/docs': target,
      '/healthz': target,
      '/readyz': target,
      '/metrics': target,
    },
  },
})
await pages.listen()
