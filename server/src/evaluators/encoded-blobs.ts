/*
 * Text that is hidden as base64 or hexadecimal digits.
 */

interface DecodedBlob {
  readonly start: number
  readonly end: number
  readonly decoded: string
}

const blobPattern = /(?:[A-Za-z0-9+/]{24,8192}|[A-Za-z0-9_-]{24,8192})={0,2}/g
const blobsMax = 200

/** Those that are readable text with spaces, the first 200. */
export function decodedBlobs(text: string): readonly DecodedBlob[] {
  const found: DecodedBlob[] = []
  for (const { 0: blob, index } of text.matchAll(blobPattern)) {
    const decoded = decode(blob)
    if (decoded !== undefined) found.push({ start: index, end: index + blob.length, decoded })
    if (found.length === blobsMax) break
  }
  return found
}

function decode(blob: string): string | undefined {
  const isHex = /^(?:[0-9a-fA-F]{2})+$/.test(blob)
  const decoded = Buffer.from(blob, isHex ? 'hex' : 'base64').toString('utf8')
  return isReadable(decoded) ? decoded : undefined
}

/** Random bytes are seldom valid text, and random letters have few spaces. */
function isReadable(text: string): boolean {
  const spaces = text.split(' ').length - 1
  return spaces >= 2 && !/[\p{Cc}\p{Co}\p{Cn}\uFFFD]/u.test(text.replace(/[\r\n\t]/g, ''))
}
