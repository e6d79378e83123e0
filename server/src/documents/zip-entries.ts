import { inflateRawSync } from 'node:zlib'
import { DocumentRefused, documentLimits } from './document.ts'

/*
 * Reads files of a zip archive in memory. The sizes that an archive declares are checked before anything is
 * decompressed, and decompression stops at them.
 */

export interface ZipEntry {
  readonly name: string
  read(): Buffer
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50

/** By name. Throws `DocumentRefused` for an archive that is damaged, encrypted or beyond the limits. */
export function readZip(bytes: Uint8Array): ReadonlyMap<string, ZipEntry> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return listEntries(zip)
  } catch (error) {
    // Of a position outside of the archive.
    if (error instanceof RangeError) throw new DocumentRefused('unreadable')
    throw error
  }
}

function listEntries(zip: Buffer): ReadonlyMap<string, ZipEntry> {
  const end = findEnd(zip)
  const count = zip.readUInt16LE(end + 10)
  if (count > documentLimits.zipEntries) throw new DocumentRefused('unreadable')
  const entries = new Map<string, ZipEntry>()
  let at = zip.readUInt32LE(end + 16)
  let total = 0
  for (let n = 0; n < count; n += 1) {
    if (zip.readUInt32LE(at) !== entrySignature) throw new DocumentRefused('unreadable')
    const entry = readEntry(zip, at)
    total += entry.size
    if (total > documentLimits.zipBytes) throw new DocumentRefused('unreadable')
    entries.set(entry.name, { name: entry.name, read: () => readContent(zip, entry) })
    at = entry.end
  }
  return entries
}

/** The last record, before a comment of at most 64 kB. */
function findEnd(zip: Buffer): number {
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - 22 - 0xffff); at -= 1) {
    if (zip.readUInt32LE(at) === endSignature) return at
  }
  throw new DocumentRefused('unreadable')
}

interface Entry {
  readonly name: string
  readonly method: number
  readonly compressedSize: number
  readonly size: number
  readonly offset: number
  /** Of its record. */
  readonly end: number
}

function readEntry(zip: Buffer, at: number): Entry {
  if ((zip.readUInt16LE(at + 8) & 1) !== 0) throw new DocumentRefused('encrypted')
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
    zip.readUInt16LE(at + field),
  ) as [number, number, number]
  const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
  const compressedSize = zip.readUInt32LE(at + 20)
  const size = zip.readUInt32LE(at + 24)
  const isAbsurd =
    size > documentLimits.zipRatioFrom && size > compressedSize * documentLimits.zipRatio
  const isOutside = /^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(name)
  if (isAbsurd || isOutside || size > documentLimits.zipEntryBytes) {
    throw new DocumentRefused('unreadable')
  }
  return {
    ...{ name, compressedSize, size, method: zip.readUInt16LE(at + 10) },
    offset: zip.readUInt32LE(at + 42),
    end: at + 46 + nameLength + extraLength + commentLength,
  }
}

const stored = 0
const deflated = 8

function readContent(zip: Buffer, { method, compressedSize, size, offset }: Entry): Buffer {
  try {
    if (zip.readUInt32LE(offset) !== localSignature) throw new DocumentRefused('unreadable')
    const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
    const content = zip.subarray(start, start + compressedSize)
    if (method === stored && content.length === size) return content
    if (method === deflated) return inflateRawSync(content, { maxOutputLength: Math.max(size, 1) })
  } catch {
    // Damaged, or larger than it declares.
  }
  throw new DocumentRefused('unreadable')
}
