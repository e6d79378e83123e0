import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'

/*
 * Compresses responses on the thread pool of the process, which has few threads and also hashes passwords.
 */

/** By preference: Zstandard is half as large as gzip on lists of spans, in a quarter of the time. */
const encodings = ['zstd', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** The encoding for a request with this `Accept-Encoding`, or undefined if it accepts neither. */
export function chooseEncoding(accepted = ''): Encoding | undefined {
  const names = accepted
    .toLowerCase()
    .split(',')
    .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
    .map((one) => one.split(';')[0]?.trim())
  return encodings.find((encoding) => names.includes(encoding))
}

/** Undefined when too many responses are being compressed: then it is better to send this one as it is. */
export type Compress = (
  chunks: readonly Uint8Array[],
  encoding: Encoding,
) => Promise<Uint8Array> | undefined

/** Leaves half of the threads to others. */
const jobsMax = 2
/** The event loop handles each chunk of the output. */
const chunkSize = 256 * 1024

const asGzip = promisify(gzip)
const asZstd = promisify(zstdCompress)
const zstdParams = { [constants.ZSTD_c_compressionLevel]: 1 }

export function openCompressor(): Compress {
  let jobs = 0
  return (chunks, encoding) => {
    if (jobs === jobsMax) return undefined
    jobs += 1
    const bytes = Buffer.concat(chunks)
    const compressed =
      encoding === 'zstd'
        ? asZstd(bytes, { params: zstdParams, chunkSize })
        : asGzip(bytes, { level: 1, chunkSize })
    return compressed.finally(() => {
      jobs -= 1
    })
  }
}
