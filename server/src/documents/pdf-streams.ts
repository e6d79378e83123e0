import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'
import { DocumentRefused, documentLimits } from './document.ts'

/*
 * Refuses a PDF with a stream that decompresses to more than a page has, before the engine reads it: the engine holds all
 * that it decompresses. Streams of encrypted files and of rare filters are not measured; for them, the memory of the
 * process is the limit.
 */

export async function refuseLargeStreams(bytes: Uint8Array): Promise<void> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let found = file.indexOf(opening)
  while (found >= 0) {
    const end = file.indexOf(closing, found)
    const dictionary = file.toString('latin1', Math.max(0, found - dictionaryMax), found)
    const start = found + opening.length + (file[found + opening.length] === carriageReturn ? 2 : 1)
    const content = file.subarray(start, end < 0 ? file.length : end)
    await refuseLargeStream(dictionary.slice(dictionary.lastIndexOf(' obj') + 1), content)
    found = end < 0 ? -1 : file.indexOf(opening, end + closing.length)
  }
}

const opening = 'stream'
const closing = 'endstream'
const carriageReturn = 13
const dictionaryMax = 2000
/** Of one compression. */
const ratioMax = 1032
const layersMax = 3

async function refuseLargeStream(dictionary: string, content: Buffer): Promise<void> {
  // The text of a page has no images. Those of scans are large.
  if (/\/Subtype\s*\/Image\b/.test(dictionary)) return
  const layers = dictionary.match(/\/Fl(?:ateDecode)?\b/g)?.length ?? 0
  if (layers > layersMax) throw new DocumentRefused('unreadable')
  const isSmall = content.length * ratioMax <= documentLimits.pdfStreamBytes
  if (layers === 0 || (layers === 1 && isSmall)) return
  try {
    const inflated = Array.from({ length: layers }, () => [createInflate({ chunkSize }), meter])
    await pipeline([Readable.from([content]), ...inflated.flat(), drain])
  } catch (error) {
    if (error instanceof DocumentRefused) throw error
    // Damaged, or compressed in another way: the engine reads what it can.
  }
}

const chunkSize = 256 * 1024

async function* meter(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > documentLimits.pdfStreamBytes) throw new DocumentRefused('unreadable')
    yield chunk
  }
}

async function drain(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}
