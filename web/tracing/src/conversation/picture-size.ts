/*
 * The pixels of a picture, read from its header: a file of 50 KB can have as many as fill the memory of a computer when
 * the browser shows it.
 */

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** As many as a large photograph has; each takes 4 bytes. */
const shownPixelsMax = 50_000_000

export function isTooLarge({ width, height }: PictureSize): boolean {
  return width * height > shownPixelsMax
}

/** A JPEG may have its thumbnail and other metadata first. */
const headerLength = 1_000_000

/** Of a PNG, GIF, WebP or JPEG in a data URL in base64; undefined for anything else. */
export function readPictureSize(address: string): PictureSize | undefined {
  const start = address.indexOf(';base64,') + ';base64,'.length
  const bytes = decodeBase64(address.slice(start, start + headerLength))
  if (bytes === undefined) return undefined
  const view = new DataView(bytes.buffer)
  try {
    return readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const compact = text.replaceAll(/\s/g, '')
  try {
    const decoded = atob(compact.slice(0, compact.length - (compact.length % 4)))
    return Uint8Array.from(decoded, (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function hasText(view: DataView, at: number, text: string): boolean {
  return new TextEncoder().encode(text).every((byte, n) => view.getUint8(at + n) === byte)
}

function readPng(view: DataView): PictureSize | undefined {
  if (!hasText(view, 1, 'PNG')) return undefined
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

function readGif(view: DataView): PictureSize | undefined {
  if (!hasText(view, 0, 'GIF8')) return undefined
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

// https://www.rfc-editor.org/rfc/rfc9649
function readWebp(view: DataView): PictureSize | undefined {
  if (!hasText(view, 0, 'RIFF') || !hasText(view, 8, 'WEBP')) return undefined
  if (hasText(view, 12, 'VP8X')) {
    const size = (at: number) => (view.getUint32(at, true) & 0xff_ff_ff) + 1
    return { width: size(24), height: size(27) }
  }
  if (hasText(view, 12, 'VP8L')) {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3f_ff) + 1, height: ((bits >> 14) & 0x3f_ff) + 1 }
  }
  return { width: view.getUint16(26, true) & 0x3f_ff, height: view.getUint16(28, true) & 0x3f_ff }
}

/** In the first start of a frame, after other segments. */
function readJpeg(view: DataView): PictureSize | undefined {
  if (view.getUint16(0) !== 0xff_d8) return undefined
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    while (view.getUint16(at) === 0xff_ff) at += 1
    const marker = view.getUint16(at)
    if (marker < 0xff_c0 || marker > 0xff_fe) return undefined
    const isFrame = marker <= 0xff_cf && ![0xff_c4, 0xff_c8, 0xff_cc].includes(marker)
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
  }
}
