import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/*
 * Serves the built web app from memory, with a content security policy without inline scripts. Addresses without a file
 * or endpoint return the page of the app, which routes them.
 */

interface Asset {
  readonly type: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly brotli: Buffer
}

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

const noncePlaceholder = '__CSP_NONCE__'
const asGzip = promisify(gzip)
const asBrotli = promisify(brotliCompress)

/** Serves the app in `folder`; files under `assets/` have hashed names and are cached forever. */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const file of files.filter((one) => one.isFile() && one.name !== 'index.html')) {
    const path = join(file.parentPath, file.name)
    const url = `/${relative(folder, path).split(sep).map(encodeURIComponent).join('/')}`
    const asset = readOnce(path)
    const cache = url.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    app.get(url, (request, reply) =>
      sendAsset(request, reply.header('cache-control', cache), asset),
    )
  }
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  app.get('/', (_request, reply) => sendPage(reply, page))
  app.get('/*', (request, reply) =>
    isForTheApp(request) ? sendPage(reply, page) : reply.callNotFound(),
  )
}

/** Redirects requests for pages, for a product without a web app. */
export function redirectPages(app: FastifyInstance, to: string): void {
  const leave = (reply: FastifyReply) => reply.headers(always).redirect(to, 302)
  app.get('/', (_request, reply) => leave(reply))
  app.get('/*', (request, reply) => (isForTheApp(request) ? leave(reply) : reply.callNotFound()))
}

function isForTheApp({ url, headers }: FastifyRequest): boolean {
  return !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html')
}

/** Read and compressed on the first request, which keeps the start fast. */
function readOnce(path: string): () => Promise<Asset> {
  let asset: Promise<Asset> | undefined
  return () => {
    asset ??= readAsset(path)
    return asset
  }
}

async function readAsset(path: string): Promise<Asset> {
  const plain = await readFile(path)
  const [gzipped, brotli] = await Promise.all([asGzip(plain), asBrotli(plain, brotliOptions)])
  const type = types[extname(path)] ?? 'application/octet-stream'
  return { type, plain, gzip: gzipped, brotli }
}

// Nearly the best ratio in a tenth of the time of the highest quality.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<Asset>,
): Promise<FastifyReply> {
  const asset = await read()
  const accepted = request.headers['accept-encoding'] ?? ''
  void reply.headers({ ...always, 'content-type': asset.type, vary: 'accept-encoding' })
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(asset.brotli)
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(asset.gzip)
  return reply.send(asset.plain)
}

/** Sends an HTML page with a new nonce for `__CSP_NONCE__`, the only inline styles that the policy allows. */
export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .headers({ ...always, 'content-security-policy': policy(nonce), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(noncePlaceholder, nonce))
}

const always = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}
