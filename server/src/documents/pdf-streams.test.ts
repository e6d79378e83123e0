import { describe, expect, test } from 'vitest'
import { pdf, pdfBomb } from '../../test/documents.ts'
import { documentLimits } from './document.ts'
import { refuseLargeStreams } from './pdf-streams.ts'

const most = documentLimits.pdfStreamBytes

describe('a PDF whose page decompresses', () => {
  test.each([
    ['at once', 1],
    ['in two layers', 2],
  ] as const)(
    'to more than the limit %s is refused, and one with as much as it is not',
    async (_how, layers) => {
      await expect(refuseLargeStreams(pdfBomb(most + 4, layers))).rejects.toMatchObject({
        problem: 'unreadable',
      })
      await expect(refuseLargeStreams(pdfBomb(most, layers))).resolves.toBeUndefined()
    },
  )

  test('in more layers than any program writes is refused', async () => {
    const file = pdfBomb(4, 2, '/F /FlateDecode /G /FlateDecode')
    await expect(refuseLargeStreams(file)).rejects.toMatchObject({ problem: 'unreadable' })
  })
})

test('the images of a PDF may be large', async () => {
  const file = pdfBomb(most + 4, 1, '/Subtype /Image')
  await expect(refuseLargeStreams(file)).resolves.toBeUndefined()
})

test('streams that cannot be decompressed are left to the engine', async () => {
  const whole = pdfBomb(most + 4, 1)
  for (const file of [whole.subarray(0, 600), pdf(['Returns']), Buffer.from('stream')]) {
    await expect(refuseLargeStreams(file)).resolves.toBeUndefined()
  }
})
