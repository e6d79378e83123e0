import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveWebApp } from './web-app.ts'

/*
 * The files of a built web app, which a browser requests with the encodings that it accepts.
 */

const folder = mkdtempSync(join(tmpdir(), 'assay-web-'))
const app = fastify()
const code = 'export const answer = 42 // what was built\n'.repeat(20)
// Quality 0, so that it is another file than what the service would make.
const built = brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } })

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Assay</title>')
  writeFileSync(join(folder, 'assets', 'app.js'), code)
  writeFileSync(join(folder, 'assets', 'app.js.br'), built)
  writeFileSync(join(folder, 'assets', 'page.js'), code)
  await serveWebApp(app, folder)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const request = (url: string, encodings: string) =>
  app.inject({ url, headers: { 'accept-encoding': encodings } })

test('a file that the build has compressed is sent as it is', async () => {
  const { headers, rawPayload } = await request('/assets/app.js', 'gzip, br')
  expect(headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  expect(rawPayload).toEqual(built)
})

test('other files are compressed by the service', async () => {
  const { headers, rawPayload } = await request('/assets/page.js', 'br')
  expect(headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(rawPayload).toString()).toBe(code)
})

test('a browser that does not accept Brotli gets the file in another encoding', async () => {
  const { rawPayload } = await request('/assets/app.js', 'gzip')
  expect(gunzipSync(rawPayload).toString()).toBe(code)
  expect((await request('/assets/app.js', 'identity')).body).toBe(code)
})

test('a compressed file has no address of its own', async () => {
  expect((await request('/assets/app.js.br', 'br')).statusCode).toBe(404)
})
