import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/*
 * Compresses responses on the thread pool of the process, which has few threads and also hashes passwords.
 */

/** Undefined when too many responses are being compressed: then it is better to send this one as it is. */
export type Compress = (chunks: readonly Uint8Array[]) => Promise<Uint8Array> | undefined

/** Leaves half of the threads to others. */
const jobsMax = 2
/** The event loop handles each chunk of the output. */
const chunkSize = 256 * 1024

const asGzip = promisify(gzip)

export function openCompressor(): Compress {
  let jobs = 0
  return (chunks) => {
    if (jobs === jobsMax) return undefined
    jobs += 1
    return asGzip(Buffer.concat(chunks), { level: 1, chunkSize }).finally(() => {
      jobs -= 1
    })
  }
}
