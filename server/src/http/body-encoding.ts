import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { Failure } from '../platform/failure.ts'

/*
 * The encoding of an OTLP body: its content type, its compression, and the inflated bytes.
 */

export type OtlpEncoding = 'json' | 'protobuf'
export type Compression = 'identity' | 'gzip' | 'deflate'

/** Reads Content-Type as a media type: any case, parameters ignored. Throws VALIDATION_ERROR 415 for any other. */
export function parseOtlpEncoding(contentType: string | undefined): OtlpEncoding {
  const mediaType = /^\s*([^\s;]+)\s*(?:;.*)?$/.exec(contentType ?? '')?.[1]?.toLowerCase()
  if (mediaType === 'application/x-protobuf') return 'protobuf'
  if (mediaType === 'application/json') return 'json'
  throw new Failure(
    'VALIDATION_ERROR',
    'Content-Type must be application/x-protobuf or application/json.',
    { status: 415 },
  )
}

/** Reads Content-Encoding: one supported coding, or none. Throws VALIDATION_ERROR 400 for anything else. */
export function parseCompression(contentEncoding: string | undefined): Compression {
  const coding = contentEncoding?.trim().toLowerCase() ?? ''
  if (coding === '') return 'identity'
  if (coding === 'gzip' || coding === 'deflate' || coding === 'identity') return coding
  throw new Failure('VALIDATION_ERROR', 'Unsupported Content-Encoding')
}

export const otlpTooLarge = () => new Failure('VALIDATION_ERROR', 'OTLP payload is too large.')

/** Deflate compresses no further (https://zlib.net/zlib_tech.html). */
const maxRatio = 1032

/** What a gzip body claims to inflate to, modulo 2^32 (ISIZE of RFC 1952): of its last member, if it has several. */
export function gzipSize({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): number {
  if (byteLength < 4) return 0
  return new DataView(buffer, byteOffset, byteLength).getUint32(byteLength - 4, true)
}

/**
 * The inflated bytes, counted while they are inflated: memory never exceeds `maxBytes` by much. Throws
 * VALIDATION_ERROR when there are more, or when the compressed data is damaged.
 */
export function inflated(
  bytes: Uint8Array<ArrayBuffer>,
  compression: Compression,
  maxBytes: number,
): Uint8Array<ArrayBuffer> {
  if (compression === 'identity') {
    if (bytes.byteLength > maxBytes) throw otlpTooLarge()
    return bytes
  }
  const damaged = (options?: ErrorOptions) => {
    const message = `The body is not valid ${compression} data, or was cut short.`
    return new Failure('VALIDATION_ERROR', message, options)
  }
  // Most that are cut short end in an impossible size. They are not inflated up to where they end.
  if (compression === 'gzip' && gzipSize(bytes) > maxRatio * bytes.byteLength) throw damaged()
  const inflate =
    compression === 'gzip' ? gunzipSync : hasZlibHeader(bytes) ? inflateSync : inflateRawSync
  try {
    return inflate(bytes, { maxOutputLength: maxBytes, chunkSize })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw otlpTooLarge()
    throw damaged({ cause })
  }
}

const chunkSize = 64 * 1024

/** `deflate` means the zlib format, but some senders omit its header, which RFC 1950 makes recognizable. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
}
