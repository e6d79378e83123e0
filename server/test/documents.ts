import { createHash } from 'node:crypto'
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

/*
 * Documents for tests: PDF and Word files with given content, whole or damaged.
 */

export interface ZipPart {
  readonly name: string
  readonly content: Buffer | string
  /** The declared size; default: the real one. */
  readonly size?: number
  readonly flags?: number
}

export function zip(...parts: readonly ZipPart[]): Buffer {
  const files: Buffer[] = []
  const records: Buffer[] = []
  let offset = 0
  for (const { name, content, size, flags = 0 } of parts) {
    const bytes = Buffer.from(content)
    const compressed = deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(compressed.length, 14)
    fields.writeUInt32LE(size ?? bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const file = Buffer.concat([
      Buffer.from('PK\u0003\u0004'),
      fields,
      Buffer.from(name),
      compressed,
    ])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const made = Buffer.from([20, 0])
    records.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), made, fields, place, Buffer.from(name)]),
    )
    files.push(file)
    offset += file.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(
    records.reduce((sum, { length }) => sum + length, 0),
    12,
  )
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, ...records, end])
}

/** A Word document with these paragraphs, as XML, in its body. */
export function docx(body: string, ...more: readonly ZipPart[]): Buffer {
  return zip(
    {
      name: '_rels/.rels',
      content: `<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    { name: 'word/document.xml', content: wordXml('document', `<w:body>${body}</w:body>`) },
    ...more,
  )
}

export const wordXml = (root: string, content: string) =>
  `<?xml version="1.0"?><w:${root} xmlns:w="w">${content}</w:${root}>`

export const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

/** A PDF with one line on each page. */
export function pdf(lines: readonly string[], trailer = ''): Buffer {
  return pdfOf(
    lines.map((line) => pdfStream(pageContent(line), '')),
    trailer,
  )
}

function pageContent(line: string): Buffer {
  const escaped = line.replaceAll(/[()\\]/g, String.raw`\$&`)
  return Buffer.from(`BT /F1 12 Tf 72 700 Td (${escaped}) Tj ET`)
}

/** A PDF whose page has as much content as `size`, in a few kilobytes for two layers of compression. */
export function pdfBomb(size: number, layers: 1 | 2 = 2, dictionary = ''): Buffer {
  const once = deflateSync(Buffer.alloc(size, 'q Q '), { level: 1 })
  const content = layers === 1 ? once : deflateSync(once)
  const filters = Array.from({ length: layers }, () => '/FlateDecode').join(' ')
  return pdfOf([pdfStream(content, `/Filter [${filters}] ${dictionary}`)], '')
}

function pdfStream(content: Buffer, more: string): Buffer {
  const start = `<< /Length ${content.length} ${more} >>\nstream\n`
  return Buffer.concat([Buffer.from(start), content, Buffer.from('\nendstream')])
}

function pdfOf(streams: readonly Buffer[], trailer: string): Buffer {
  const pages = streams.map((_, n) => `${4 + 2 * n} 0 R`)
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...streams.flatMap((stream, n) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * n} 0 R >>`,
      stream,
    ]),
  ]
  const chunks: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  let length = chunks[0]!.length
  const offsets = objects.map((object, n) => {
    const at = length
    const bytes = Buffer.concat([
      Buffer.from(`${n + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ])
    chunks.push(bytes)
    length += bytes.length
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  chunks.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(chunks)
}

/** Of a file that opens with a password only. */
export const pdfPassword = `/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'5a'.repeat(32)}> /U <${'a5'.repeat(32)}> >>`

/** A PDF that opens without a password; only changing it needs one. Encrypted with RC4 and 40 bits. */
export function pdfWithOwnerPassword(line: string): Buffer {
  const padding = Buffer.from(
    '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
    'hex',
  )
  const owner = Buffer.alloc(32, 0x5a)
  const permissions = Buffer.alloc(4)
  permissions.writeInt32LE(-4)
  const key = md5(padding, owner, permissions, Buffer.from([0])).subarray(0, 5)
  const user = rc4(key, padding)
  const keyOfPage = md5(key, Buffer.from([5, 0, 0, 0, 0])).subarray(0, 10)
  const encrypt = `/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> >>`
  return pdfOf([pdfStream(rc4(keyOfPage, pageContent(line)), '')], encrypt)
}

const md5 = (...parts: readonly Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest()

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, n) => n)
  const swap = (a: number, b: number) => ([state[a], state[b]] = [state[b]!, state[a]!])
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + state[i]! + key[i % key.length]!) & 255
    swap(i, j)
  }
  let [i, j] = [0, 0]
  return bytes.map((byte) => {
    i = (i + 1) & 255
    j = (j + state[i]!) & 255
    swap(i, j)
    return byte ^ state[(state[i]! + state[j]!) & 255]!
  }) as Buffer
}
