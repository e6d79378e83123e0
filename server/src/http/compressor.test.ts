import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chooseEncoding, openCompressor } from './compressor.ts'

const text = 'a response '.repeat(10_000)
const chunks = [Buffer.from(text.slice(0, 500)), Buffer.from(text.slice(500))]

test('compresses two responses at once and none beyond them, so that sign-in finds a free thread', async () => {
  const compress = openCompressor()
  for (let round = 0; round < 2; round += 1) {
    const [first, second, third] = [
      compress(chunks, 'zstd'),
      compress(chunks, 'gzip'),
      compress(chunks, 'gzip'),
    ]
    expect(third).toBeUndefined()
    expect(zstdDecompressSync((await first)!).toString()).toBe(text)
    expect(gunzipSync((await second)!).toString()).toBe(text)
  }
})

test.each([
  ['what Chromium and Firefox send', 'gzip, deflate, br, zstd', 'zstd'],
  ['a browser without it', 'gzip, deflate, br', 'gzip'],
  ['upper case and weights', 'GZIP;q=1.0, identity;q=0.5', 'gzip'],
  ['one that is refused', 'zstd;q=0, gzip', 'gzip'],
  ['another that begins alike', 'gzip-chunked', undefined],
  ['no header', undefined, undefined],
])('the encoding of a response: %s', (_what, accepted, expected) => {
  expect(chooseEncoding(accepted)).toBe(expected)
})
