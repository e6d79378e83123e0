import { createServer as createHttpServer } from 'node:http'
import type { Socket } from 'node:net'
import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import type { ErrorCode } from '@assay/contract/errors.ts'
import { limits } from '@assay/contract/limits.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Failure } from '../platform/failure.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { drainBody } from './drain-body.ts'
import { type ErrorResponse, errorBody, errorResponseTo, isDefect, sendError } from './failures.ts'
import { oneAtATime } from './pipelining.ts'
import { type LocalAddress, refuseAmbiguous, refuseForeignHost } from './request-address.ts'
import { type RequestTurns, takeTurns } from './request-turns.ts'
import { acceptsPages, unreadablePage } from './web-app.ts'

/*
 * The server without endpoints: timeouts, header limits, and the error envelope for requests that reach no endpoint.
 */

export interface ServerOptions {
  readonly log: Log
  readonly endpoints: readonly AnyEndpoint[]
  /** The number of trusted proxies, or their addresses; false trusts none. */
  readonly trustProxy: number | readonly string[] | false
  readonly turns: RequestTurns
  /** Set if only this machine uses the service: other hosts are refused. */
  readonly localAddress?: LocalAddress | undefined
  /** Aborted before a stop: connections are then closed after their response, so that clients go elsewhere. */
  readonly draining?: AbortSignal
  /** How long a client may stop reading its response; the documented time by default. */
  readonly stalledMs?: number
}

export function createServer(options: ServerOptions): FastifyInstance {
  const { log, endpoints, trustProxy } = options
  const app = Fastify({
    trustProxy: trusted(trustProxy),
    exposeHeadRoutes: false,
    // The framework's ids restart at one with the process, but the audit log spans restarts.
    genReqId: newId,
    routerOptions: { maxParamLength },
    rewriteUrl: ({ url = '/' }) => url.replace(doubledExportPath, '/api/v1/$1'),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    serverFactory: (handle) => createHttpServer(httpOptions, oneAtATime(handle)),
    clientErrorHandler: respondToBrokenRequest,
    frameworkErrors({ code }, { raw, headers }, reply) {
      if (code === 'FST_ERR_BAD_URL' && acceptsPages(raw.url ?? '/', headers.accept)) {
        return void reply.redirect(unreadablePage)
      }
      const isTooLong = code === 'FST_ERR_MAX_PARAM_LENGTH'
      void sendError(reply, isTooLong ? nothingHere : errorResponseTo(unreadable()), false)
    },
  })
  // Bodies are read by the endpoint that declares them, never by the framework.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
  takeTurns(app, options.turns)
  addHooks(app, options)
  const methodsByPath = declaredMethods(endpoints)
  const respondNotFound = (request: FastifyRequest, reply: FastifyReply) => {
    const allowed = methodsByPath(request.url)
    if (allowed.length === 0) return sendError(reply, nothingHere, false)
    const message = `The method must be ${allowed.join(' or ')}.`
    void reply.header('allow', allowed.join(', '))
    return sendError(reply, plain(405, 'VALIDATION_ERROR', message), false)
  }
  app.setNotFoundHandler(respondNotFound)
  app.setErrorHandler((error, request, reply) => {
    // Endpoints refuse an unreadable Content-Type themselves.
    if (isUnreadableType(error)) return respondNotFound(request, reply)
    if (reply.raw.destroyed && isUnsent(error)) return reply.hijack()
    const exposed = isFrameworkRefusal(error) ? unreadable() : error
    if (isDefect(exposed)) log.error('a request failed', exposed, { id: request.id })
    return sendError(reply, errorResponseTo(exposed), false)
  })
  return app
}

const httpOptions = {
  requestTimeout: 60_000,
  keepAliveTimeout: 72_000,
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: limits.headerBytes.value,
  // Refused below, in the envelope.
  requireHostHeader: false,
}

function addHooks(
  app: FastifyInstance,
  { draining, localAddress, stalledMs }: ServerOptions,
): void {
  // Other expectations than `100-continue` are ignored, where Node would send a response of its own.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
  app.addHook('onRequest', async (request, reply) => {
    // On the raw response, which streams write to directly.
    reply.raw.setHeader('x-content-type-options', 'nosniff')
    if (draining?.aborted === true) reply.raw.setHeader('connection', 'close')
    try {
      refuseAmbiguous(request)
    } catch (error) {
      void reply.header('connection', 'close')
      throw error
    }
    if (localAddress !== undefined) refuseForeignHost(request, localAddress)
  })
  app.addHook('onSend', async ({ raw }, reply) => {
    if (reply.statusCode >= 400) {
      await drainBody(raw)
      // The unread rest of a body must not be parsed as the next request.
      if (!raw.complete) void reply.header('connection', 'close')
    }
    // Disconnects clients that stop reading. Streams have their own timeout.
    reply.raw.setTimeout(stalledMs ?? limits.responseStallSeconds.value * 1000)
  })
}

/**
 * The paths that result from a misconfigured exporter endpoint: exporters append `/v1/traces` to the setting for
 * all signals. Nothing else is served at these paths.
 */
const doubledExportPath =
  /^(?:\/api\/v1(?:\/(?:traces|metrics|logs))?)?\/v1\/(traces|metrics|logs)(?=\?|$)/

function trusted(setting: ServerOptions['trustProxy']) {
  if (typeof setting === 'number') return (_address: string, hop: number) => hop < setting
  return setting === false ? false : [...setting]
}

/** Whether the framework could not parse the Content-Type of a request. */
export function isUnreadableType(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
  )
}

/** Whether a response was destroyed together with the connection: the client left before it was sent. */
function isUnsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** The framework refuses some requests itself, before any endpoint sees them. */
function isFrameworkRefusal(error: unknown): error is Error & { statusCode: number } {
  return error instanceof Error && 'statusCode' in error && Number(error.statusCode) < 500
}

function unreadable(): Failure {
  return new Failure('VALIDATION_ERROR', 'The request cannot be read.')
}

const nothingHere = plain(404, 'NOT_FOUND', 'There is nothing at this address.')

function plain(status: number, code: ErrorCode, message: string): ErrorResponse {
  return { status, code, message, details: {} }
}

/** An address with a longer path parameter is not found. */
const maxParamLength = 2048

function declaredMethods(endpoints: readonly AnyEndpoint[]): (url: string) => string[] {
  const patterns = endpoints.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^/api/v1${path.replaceAll(/\{\w+\}/g, `[^/]{1,${maxParamLength}}`)}$`),
  }))
  return (url) => {
    const [path = ''] = url.split('?')
    const fitting = patterns.filter(({ pattern }) => pattern.test(path))
    return [...new Set(fitting.map(({ method }) => method))]
  }
}

/** From the response to a broken request until its connection is destroyed. */
const brokenRequestCloseMs = 2_000

/** Responds to a request that could not be parsed or took too long. */
function respondToBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
  const response =
    brokenRequests[error.code ?? ''] ??
    plain(400, 'VALIDATION_ERROR', 'The request is not valid HTTP.')
  const body = errorBody(response, false)
  socket.end(
    [
      `HTTP/1.1 ${response.status} ${reasons[response.status] ?? 'Bad Request'}`,
      'content-type: application/json; charset=utf-8',
      'x-content-type-options: nosniff',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  // The client may never close its end. Not at once, because that could discard the response before it is read.
  const closing = setTimeout(() => socket.destroy(), brokenRequestCloseMs)
  socket.once('close', () => clearTimeout(closing))
}

const reasons: Readonly<Record<number, string>> = {
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
}

const brokenRequests: Readonly<Record<string, ErrorResponse>> = {
  ERR_HTTP_REQUEST_TIMEOUT: plain(408, 'VALIDATION_ERROR', 'The request took too long to arrive.'),
  HPE_HEADER_OVERFLOW: plain(
    431,
    'VALIDATION_ERROR',
    `The headers are larger than ${limits.headerBytes.value} bytes.`,
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: plain(
    413,
    'VALIDATION_ERROR',
    'The chunk extensions are too large.',
  ),
}
