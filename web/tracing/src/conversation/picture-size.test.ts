import { expect, test } from 'vitest'
import { isTooLarge, readPictureSize } from './picture-size.ts'

const toBase64 = (bytes: readonly number[]) => btoa(String.fromCharCode(...bytes))
const address = (type: string, bytes: readonly number[]) =>
  `data:image/${type};base64,${toBase64(bytes)}`
const text = (letters: string) => [...new TextEncoder().encode(letters)]
const zeros = (count: number) => Array<number>(count).fill(0)

const png = [0x89, ...text('PNG\r\n\x1a\n'), 0, 0, 0, 13, ...text('IHDR')]
const riff = [...text('RIFF'), 0, 0, 0, 0, ...text('WEBP')]

test.each<readonly [what: string, type: string, bytes: readonly number[]]>([
  ['a PNG', 'png', [...png, 0, 0, 0x4e, 0x20, 0, 0, 0x75, 0x30, 8, 2]],
  ['a GIF', 'gif', [...text('GIF89a'), 0x20, 0x4e, 0x30, 0x75, 0, 0]],
  [
    'an extended WebP',
    'webp',
    [...riff, ...text('VP8X'), ...zeros(8), 0x1f, 0x4e, 0, 0x2f, 0x75, 0, 0],
  ],
  [
    'a JPEG, after its thumbnail and fill bytes',
    'jpeg',
    [0xff, 0xd8, 0xff, 0xe1, 0, 4, 0xff, 0xc0, 0xff, 0xff, 0xc2, 0, 11, 8, 0x75, 0x30, 0x4e, 0x20],
  ],
])('%s of 20,000 by 30,000 pixels is too large', (_what, type, bytes) => {
  const size = readPictureSize(address(type, bytes))
  expect(size).toEqual({ width: 20_000, height: 30_000 })
  expect(isTooLarge(size!)).toBe(true)
})

test.each<readonly [what: string, bytes: readonly number[]]>([
  ['lossless', [...riff, ...text('VP8L'), ...zeros(4), 0x2f, 0x3f, 0xc1, 0x77, 0]],
  ['lossy', [...riff, ...text('VP8 '), ...zeros(10), 0x40, 0x01, 0xe0, 0x01]],
])('a %s WebP of 320 by 480 pixels is not', (_what, bytes) => {
  const size = readPictureSize(address('webp', bytes))
  expect(size).toEqual({ width: 320, height: 480 })
  expect(isTooLarge(size!)).toBe(false)
})

test.each([
  ['an empty one', ''],
  ['what is not base64', '%%%%'],
  ['another format', toBase64(text('<svg onload="alert(1)">'))],
  ['a JPEG without a frame', toBase64([0xff, 0xd8, 0xff, 0xe1, 0, 4, 0, 0])],
])('the size of %s is unknown', (_what, data) => {
  expect(readPictureSize(`data:image/png;base64,${data}`)).toBeUndefined()
})
