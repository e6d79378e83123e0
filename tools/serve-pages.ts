import { join } from 'node:path'
import { createServer } from 'vite'

/*
 * The pages' development servers: `serve-pages.ts`, then for each web app its folder, the port, and the port of the
 * server.
 */

const args = process.argv.slice(2)
for (let at = 0; at < args.length; at += 3) {
  const [folder = '', port, serverPort] = args.slice(at)
  await serve(folder, Number(port), `http://127.0.0.1:${serverPort}`)
}

async function serve(folder: string, port: number, target: string): Promise<void> {
  const pages = await createServer({
    root: join(import.meta.dirname, '..', folder),
    logLevel: 'warn',
    server: {
      host: '127.0.0.1',
      port,
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
}
