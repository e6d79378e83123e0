import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { type Outbound, OutboundTooLarge } from '../platform/outbound-fetch.ts'
import { type DocumentFormat, formatOfName } from './document.ts'

/*
 * Fetches a document from a URL that a user provides. `Outbound` refuses addresses that are not public, and connects
 * to the address that it has checked; each redirect is a new request.
 */

export interface FetchedDocument {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly format: DocumentFormat
  readonly charset: string | undefined
  /** After redirects, without query and fragment. */
  readonly finalUrl: string
  readonly isRedirected: boolean
}

/** `target` is a host name, or empty. */
export class FetchRefused extends Error {
  readonly problem: FetchProblem
  readonly target: string
  /** Of the response, if there was one. */
  readonly status: number | undefined

  constructor(problem: FetchProblem, target: string, options: FetchRefusedOptions = {}) {
    super(`${problem}: ${target}`, options)
    this.problem = problem
    this.target = target
    this.status = options.status
  }
}

interface FetchRefusedOptions extends ErrorOptions {
  readonly status?: number
}

/**
 * `unreachable`: refused, unknown and silent addresses alike, so that networks cannot be explored. `status`: the
 * response is an error.
 */
export type FetchProblem =
  | 'unreachable'
  | 'too_late'
  | 'too_large'
  | 'redirects'
  | 'status'
  | 'type'

export interface FetchDocumentOptions {
  readonly outbound: Outbound
  readonly timeoutMs: number
  /** Of the decoded body. */
  readonly maxBytes: number
  readonly redirectsMax: number
  readonly signal: AbortSignal
}

/** Throws `FetchRefused`, or the reason of the signal. */
export async function fetchDocument(
  address: string,
  options: FetchDocumentOptions,
): Promise<FetchedDocument> {
  const { outbound, redirectsMax } = options
  const timeout = AbortSignal.timeout(options.timeoutMs)
  const signal = AbortSignal.any([timeout, options.signal])
  let url = checkedUrl(address)
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const response = await outbound.fetch(url.href, { headers, signal }).catch((cause: unknown) => {
      options.signal.throwIfAborted()
      throw new FetchRefused(problemOf(cause, timeout), url.hostname, { cause })
    })
    const location = response.headers.get('location')
    if (location === null || !redirecting.has(response.status)) {
      return { ...(await readResponse(response, url, options)), isRedirected: redirects > 0 }
    }
    url = nextUrl(location, url)
  }
  throw new FetchRefused('redirects', url.hostname)
}

const redirecting = new Set([301, 302, 303, 307, 308])

const headers = {
  accept: 'text/html, text/markdown, text/plain, application/pdf, application/json, */*;q=0.5',
  'user-agent': 'Assay',
}

function checkedUrl(address: string): URL {
  const url = URL.parse(address)
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.port === ''
  if (!isUsable) throw new FetchRefused('unreachable', url?.hostname ?? '')
  return url
}

/** A page that was requested over HTTPS is not read over HTTP. */
function nextUrl(location: string, from: URL): URL {
  const next = URL.parse(location, from)
  if (next === null || (from.protocol === 'https:' && next.protocol === 'http:')) {
    throw new FetchRefused('unreachable', next?.hostname ?? from.hostname)
  }
  return checkedUrl(next.href)
}

function problemOf(error: unknown, timeout: AbortSignal): FetchProblem {
  if (timeout.aborted) return 'too_late'
  return error instanceof OutboundTooLarge ? 'too_large' : 'unreachable'
}

async function readResponse(
  response: Response,
  url: URL,
  { maxBytes }: FetchDocumentOptions,
): Promise<Omit<FetchedDocument, 'isRedirected'>> {
  const { status } = response
  if (!response.ok) throw new FetchRefused('status', url.hostname, { status })
  const bytes = await decoded(response, url, maxBytes)
  const type = response.headers.get('content-type') ?? ''
  const format = formatOf(type, bytes, url)
  if (format === undefined) throw new FetchRefused('type', url.hostname)
  const charset = /;\s*charset\s*=\s*"?([\w-]{1,40})/i.exec(type)?.[1]
  return { bytes, format, charset, finalUrl: url.origin + url.pathname }
}

type Decode = (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
) => Promise<Buffer<ArrayBuffer>>

/** A server may compress, although the request accepts no encoding. */
const decoders: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

async function decoded(
  response: Response,
  url: URL,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const encoding = response.headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return bytes
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined
  if (decode === undefined) throw new FetchRefused('type', url.hostname)
  return await decode(bytes, { maxOutputLength: maxBytes }).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException
    const problem = code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'type'
    throw new FetchRefused(problem, url.hostname, { cause })
  })
}

const formatsByType: Readonly<Record<string, DocumentFormat>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'markdown',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
}

/** By content where that is certain, then by the header; by the path only where the header says nothing. */
function formatOf(type: string, bytes: Uint8Array, url: URL): DocumentFormat | undefined {
  const name = (type.split(';')[0] ?? '').trim().toLowerCase()
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  if (start.includes('%PDF-') && !name.startsWith('text/')) return 'pdf'
  const byPath = formatOfName(url.pathname)
  if (name === '' || name === 'application/octet-stream') return byPath
  if (Object.hasOwn(formatsByType, name)) return formatsByType[name]
  if (name.endsWith('+json')) return 'json'
  // Repositories serve Markdown as plain text.
  if (name === 'text/plain') return byPath === 'markdown' || byPath === 'csv' ? byPath : 'text'
  return name.startsWith('text/') ? 'text' : undefined
}
