import { lookup } from 'node:dns/promises'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { type Allowed, isMetadata, isPrivate, isPrivateName, plainHost } from './network-rules.ts'

/*
 * HTTP requests to URLs that users provide. A host name is resolved once, all its addresses are checked, and the
 * connection goes to a checked address, so that DNS rebinding gains nothing. Redirects are returned, not followed;
 * proxy variables of the environment are ignored.
 */

export interface OutboundRules {
  /** Private destinations that an operator has allowed. */
  readonly allowed: Allowed
  /** Whether plain HTTP is possible to any destination, or only to allowed ones. */
  readonly plainHttp: 'anywhere' | 'allowed'
  /** For one request and its response, name resolution included. */
  readonly timeoutMs: number
  /** Of a response body. */
  readonly maxBytes: number
  /** Default: the resolver of the system. */
  readonly resolve?: Resolve
  /** Refused whatever is allowed. Default: none. */
  readonly isOwnServer?: IsOwnServer
}

/** Whether a request to the URL, whose host has these addresses, would reach a database of the service. */
export type IsOwnServer = (url: URL, addresses: readonly ResolvedAddress[]) => Promise<boolean>

export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export interface OutboundInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Pieces are sent one after the other, with other work in between. */
  readonly body?: string | URLSearchParams | readonly Uint8Array[] | null
  readonly signal?: AbortSignal | undefined
}

export interface Outbound {
  /** Returns any response, redirects included. Throws `OutboundRefused` before anything is sent, or `OutboundFailed`. */
  fetch(url: string, init?: OutboundInit): Promise<Response>
  /** Throws `OutboundRefused` for a URL that `fetch` would refuse. Unknown host names pass. */
  judge(url: string): Promise<void>
}

export interface StreamingOutbound extends Outbound {
  /**
   * Returns once the headers are there. The body throws `OutboundFailed` if the connection breaks; the signal closes the
   * connection, and so does a reader that stops.
   */
  open(url: string, init?: OutboundInit): Promise<OpenedResponse>
}

export interface OpenedResponse {
  readonly status: number
  readonly headers: Headers
  /** As it is received, and no faster than it is read. */
  readonly body: AsyncIterable<Uint8Array>
}

/** The rules forbid the destination. The message is for users and reveals nothing about it. */
export class OutboundRefused extends Error {
  readonly target: string

  constructor(target: string, reason: string) {
    super(reason)
    this.name = 'OutboundRefused'
    this.target = target
  }
}

/** No response, not in time, or too large. */
export class OutboundFailed extends Error {
  readonly target: string

  constructor(target: string, reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'OutboundFailed'
    this.target = target
  }
}

/** The connection broke within the response. */
export class OutboundCut extends OutboundFailed {}

export class OutboundTooLarge extends OutboundFailed {
  constructor(target: string, reason = 'The response is too large.') {
    super(target, reason)
  }
}

export function openOutbound(rules: OutboundRules): StreamingOutbound {
  const open = async (address: string, init: OutboundInit = {}): Promise<OpenedResponse> => {
    const url = parsed(address)
    const timeout = AbortSignal.timeout(rules.timeoutMs)
    const signal = init.signal === undefined ? timeout : AbortSignal.any([timeout, init.signal])
    const addresses = await unlessAborted(resolveAddresses(url, rules), signal, url)
    refuseForbidden(url, addresses, rules)
    await unlessAborted(refuseOwnServers(url, addresses, rules), signal, url)
    return await exchange(url, addresses, init, rules.maxBytes, signal)
  }
  return {
    open,

    async fetch(address, init) {
      const { status, headers, body } = await open(address, init)
      const chunks: Uint8Array[] = []
      for await (const chunk of body) chunks.push(chunk)
      const hasBody = ![204, 205, 304].includes(status)
      return new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers })
    },

    async judge(address) {
      const url = parsed(address)
      const withinTime = async <T>(work: Promise<T>): Promise<T | undefined> =>
        await unlessAborted(work, AbortSignal.timeout(rules.timeoutMs), url).catch(unlessRefused)
      const addresses = (await withinTime(resolveAddresses(url, rules))) ?? []
      refuseForbidden(url, addresses, rules)
      await withinTime(refuseOwnServers(url, addresses, rules))
    },
  }
}

/** A name that is not known now, or not in time, may be known when a request is sent. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof OutboundFailed)) throw error
}

/** The rules and the request use the same parsed URL. */
function parsed(address: string): URL {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new OutboundRefused(url?.host ?? '', 'The address must begin with http:// or https://.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefused(url.host, 'The address must not contain a user name or password.')
  }
  return url
}

async function resolveAddresses(
  url: URL,
  rules: OutboundRules,
): Promise<readonly ResolvedAddress[]> {
  const host = plainHost(url.hostname)
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family }]
  const resolve = rules.resolve ?? resolveBySystem
  const addresses = await resolve(host).catch((cause: unknown) => {
    throw new OutboundFailed(url.host, 'The host name is not known.', { cause })
  })
  if (addresses.length > 0) return addresses
  throw new OutboundFailed(url.host, 'The host name is not known.')
}

export const resolveBySystem: Resolve = (host) => lookup(host, { all: true })

// All addresses of a name must pass, because any of them may be used. The owner of a name controls what it resolves
// to, so allowing a name does not allow the metadata addresses of clouds.
function refuseForbidden(
  url: URL,
  addresses: readonly ResolvedAddress[],
  { allowed, plainHttp }: OutboundRules,
): void {
  const isOpened = ({ address }: ResolvedAddress) =>
    allowed.hasAddress(address) || (allowed.hasHost(url.hostname) && !isMetadata(address))
  const isPublic = ({ address }: ResolvedAddress) =>
    !isPrivate(address) && !isPrivateName(url.hostname)
  if (!addresses.every((one) => isOpened(one) || isPublic(one))) {
    throw new OutboundRefused(url.host, privateNetworkReason)
  }
  if (url.protocol === 'http:' && plainHttp === 'allowed' && !addresses.every(isOpened)) {
    throw new OutboundRefused(url.host, 'The address must begin with https://.')
  }
}

const privateNetworkReason = 'The address is in a private network.'

/** With the same words: they do not reveal where the databases are. */
async function refuseOwnServers(
  url: URL,
  addresses: readonly ResolvedAddress[],
  { isOwnServer }: OutboundRules,
): Promise<void> {
  if (await isOwnServer?.(url, addresses)) throw new OutboundRefused(url.host, privateNetworkReason)
}

function exchange(
  url: URL,
  addresses: readonly ResolvedAddress[],
  init: OutboundInit,
  maxBytes: number,
  signal: AbortSignal,
): Promise<OpenedResponse> {
  const isSecure = url.protocol === 'https:'
  const request = isSecure ? requestHttps : requestHttp
  // A separate agent, because the global one may use a proxy.
  const agent = isSecure
    ? new HttpsAgent({ keepAlive: false })
    : new HttpAgent({ keepAlive: false })
  const { method = 'GET', headers = {}, body = null } = init
  const pieces = body === null ? [] : toPieces(body)
  const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(failure(cause, signal, url))
    const sent = request(
      url,
      {
        method,
        agent,
        signal,
        lookup: answering(addresses),
        headers: {
          'accept-encoding': 'identity',
          ...(body !== null && { 'content-length': String(size) }),
          ...headers,
        },
      },
      (response) => {
        try {
          resolve(opened(response, url, maxBytes, signal))
        } catch (error) {
          response.destroy()
          fail(error)
        }
      },
    )
    sent.on('error', fail)
    Readable.from(pieces).pipe(sent)
  })
}

/** As bytes: the socket would encode a text within its write, and keep it until then. */
function toPieces(body: NonNullable<OutboundInit['body']>): readonly Uint8Array[] {
  const isText = typeof body === 'string' || body instanceof URLSearchParams
  return isText ? [Buffer.from(String(body))] : body
}

/** Replaces name resolution when the connection is made. */
function answering(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses
    if (first === undefined) callback(new Error('no address'), '')
    else if (options.all === true) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}

function opened(
  response: IncomingMessage,
  url: URL,
  maxBytes: number,
  signal: AbortSignal,
): OpenedResponse {
  const status = response.statusCode ?? 0
  if (status < 200 || status > 599)
    throw new OutboundFailed(url.host, 'The response is not valid HTTP.')
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  return { status, headers, body: readBody(response, url, maxBytes, signal) }
}

async function* readBody(
  response: IncomingMessage,
  url: URL,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.byteLength
      if (size > maxBytes) throw new OutboundTooLarge(url.host)
      yield chunk
    }
  } catch (error) {
    if (error instanceof OutboundFailed || signal.aborted) throw failure(error, signal, url)
    const reason = 'The connection was closed before the end of the response.'
    throw new OutboundCut(url.host, reason, { cause: error })
  }
}

function failure(cause: unknown, signal: AbortSignal, url: URL): OutboundFailed {
  if (cause instanceof OutboundFailed) return cause
  const reason = signal.aborted
    ? 'There was no response in time.'
    : 'The address cannot be reached.'
  return new OutboundFailed(url.host, reason, { cause })
}

/** Name resolution cannot be aborted; its result is ignored then. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, url: URL): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(failure(signal.reason, signal, url))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  work.catch(() => undefined)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
