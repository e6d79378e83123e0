import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { composeOnce } from './assets.ts'

test('an asset is composed once, and again only after a failure', async () => {
  let attempts = 0
  const read = composeOnce('text/plain', () => {
    attempts += 1
    if (attempts === 1) throw new Error('too many open files')
    return Buffer.from('text')
  })
  await expect(read()).rejects.toThrow('too many open files')
  expect((await read()).plain.toString()).toBe('text')
  expect(await read()).toBe(await read())
  expect(attempts).toBe(2)
})

test('an asset is compressed once for each encoding', async () => {
  const { gzip, brotli } = await composeOnce('text/plain', () => Buffer.from('text'))()
  expect(gunzipSync(await gzip()).toString()).toBe('text')
  expect(brotliDecompressSync(await brotli()).toString()).toBe('text')
  expect(await gzip()).toBe(await gzip())
  expect(await brotli()).toBe(await brotli())
})
