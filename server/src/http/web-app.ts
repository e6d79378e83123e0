import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { composeOnce, contentSecurityPolicy, isolation, sendAsset } from './assets.ts'

/*
 * Serves the built web app from memory, with a content security policy without inline scripts. Addresses without a file
 * or endpoint return the page of the app, which routes them.
 */

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Ends the names of files that the build has compressed beside the others. */
const compressed = '.br'

const noncePlaceholder = '__CSP_NONCE__'

/** Serves the app in `folder`; files under `assets/` have hashed names and are cached forever. */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((one) => one.isFile() && one.name !== 'index.html')
  const paths = new Set(files.map((file) => join(file.parentPath, file.name)))
  const isCompressed = (path: string) => paths.has(path + compressed)
  for (const path of paths) {
    if (path.endsWith(compressed)) continue
    const url = `/${relative(folder, path).split(sep).map(encodeURIComponent).join('/')}`
    const asset = composeOnce(
      typeOf(path),
      () => readFile(path),
      isCompressed(path) ? () => readFile(path + compressed) : undefined,
    )
    const cache = url.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    app.get(url, (request, reply) =>
      sendAsset(request, reply.header('cache-control', cache), asset),
    )
  }
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  app.get('/', (_request, reply) => sendPage(reply, page))
  app.get('/*', ({ url, headers }, reply) =>
    acceptsPages(url, headers.accept) ? sendPage(reply, page) : reply.callNotFound(),
  )
}

function typeOf(path: string): string {
  return types[extname(path)] ?? 'application/octet-stream'
}

/**
 * Where browsers are sent from an address that cannot be decoded, such as `/p/%E0%A4%A`: the app has no page there, and
 * shows that. At the address itself, its router would fail.
 */
export const unreadablePage = '/unreadable-address'

/** Whether a browser requests a page of the app, and no program an endpoint. */
export function acceptsPages(url: string, accept = ''): boolean {
  return !url.startsWith('/api/') && accept.includes('text/html')
}

/** Sends an HTML page with a new nonce for `__CSP_NONCE__`, the only inline styles that the policy allows. */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .headers({
      ...isolation,
      'content-security-policy': contentSecurityPolicy(`nonce-${nonce}`),
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(noncePlaceholder, nonce))
}
