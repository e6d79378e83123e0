import { encodeQR } from 'qr'
import { decodeQR } from 'qr/decode.js'
import { expect, test } from 'vitest'
import { toQrPath } from './qr-path.ts'

const fingerprint = '12345 00000 99999 31337 27182 81828 45904 52353 60287 47135 26624 97757'

/** What a camera sees of the path: 4 bytes a pixel, 4 pixels a module. */
function paint(path: string, modules: number) {
  const scale = 4
  const width = modules * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      const from = (row * width + Number(x) * scale) * 4
      data.fill(0, from, from + Number(length) * scale * 4)
    }
  }
  return { width, height: width, data }
}

test('the path of a fingerprint is read by a scanner', () => {
  const modules = encodeQR(fingerprint, 'raw', { ecc: 'medium', border: 4 })
  expect(decodeQR(paint(toQrPath(modules), modules.length))).toBe(fingerprint)
})
