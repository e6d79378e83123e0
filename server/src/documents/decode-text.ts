import chardet from 'chardet'
import { DocumentRefused } from './document.ts'

/*
 * Text of bytes in any common encoding. Bytes that are no text are refused: a file with the extension of a text can
 * be anything.
 */

/** Signatures of binary files: PDF, zip, OLE, PNG, ELF, JPEG, gzip. */
const binary = ['25504446', '504b0304', 'd0cf11e0', '89504e47', '7f454c46', 'ffd8ff', '1f8b08']

/**
 * Of a long text, returns a start with more than `maxChars` characters: to replace millions of line ends takes more memory
 * than the process has.
 */
export function decodeText(bytes: Uint8Array, charset?: string, maxChars = Infinity): string {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  if (binary.some((signature) => start.startsWith(signature)))
    throw new DocumentRefused('unreadable')
  // Line ends and escape sequences become shorter.
  const text = decode(bytes, charset)
    .slice(0, 4 * maxChars)
    .replace(/^\uFEFF/, '')
  // oxlint-disable-next-line no-control-regex -- escape sequences of terminals, as in logs
  const plain = text.replaceAll(/\u001B\[[0-9;?]*[A-Za-z]/g, '')
  if (isBinary(plain)) throw new DocumentRefused('unreadable')
  return plain.replaceAll(/\r\n?/g, '\n')
}

function decode(bytes: Uint8Array, charset: string | undefined): string {
  const marked = byteOrderMark(bytes)
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes)
  const utf8 = tryDecode(bytes, 'utf-8')
  if (utf8 !== undefined && !utf8.includes('\u0000')) return utf8
  const utf16 = utf16WithoutMark(bytes)
  if (utf16 !== undefined) return new TextDecoder(utf16).decode(bytes)
  const declared = charset === undefined ? undefined : tryDecode(bytes, charset)
  if (declared !== undefined) return declared
  const detected = tryDecode(bytes, chardet.detect(sampleOf(bytes)) ?? 'windows-1252')
  return detected ?? new TextDecoder('windows-1252').decode(bytes)
}

/** Enough to detect an encoding, which takes 0.3 s for each megabyte. */
const sampleBytes = 256 * 1024

/** What follows the first byte that is not ASCII: what comes before is the same in most encodings. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const from = Math.max(
    0,
    bytes.findIndex((byte) => byte >= 0x80),
  )
  return bytes.subarray(from, from + sampleBytes)
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined
}

/** Undefined for an unknown encoding, or bytes that it does not have. */
function tryDecode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Western text in UTF-16 has a zero in every second byte. */
function utf16WithoutMark(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 2000)
  const zeros = [0, 0]
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2]! += 1
  })
  const [even = 0, odd = 0] = zeros
  const many = sample.length * 0.3
  if (odd > many && even === 0) return 'utf-16le'
  return even > many && odd === 0 ? 'utf-16be' : undefined
}

/** More control characters than a text has by accident. */
function isBinary(text: string): boolean {
  if (text.includes('\u0000')) return true
  // oxlint-disable-next-line no-control-regex -- they are counted
  const controls = text.match(/[\u0001-\u0008\u000B\u000E-\u001F\uFFFD]/g)?.length ?? 0
  return controls > text.length * 0.05
}
