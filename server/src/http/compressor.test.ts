import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openCompressor } from './compressor.ts'

const text = 'a response '.repeat(10_000)
const chunks = [Buffer.from(text.slice(0, 500)), Buffer.from(text.slice(500))]

test('compresses two responses at once and none beyond them, so that sign-in finds a free thread', async () => {
  const compress = openCompressor()
  for (let round = 0; round < 2; round += 1) {
    const [first, second, third] = [compress(chunks), compress(chunks), compress(chunks)]
    expect(third).toBeUndefined()
    for (const compressed of await Promise.all([first, second])) {
      expect(gunzipSync(compressed!).toString()).toBe(text)
    }
  }
})
