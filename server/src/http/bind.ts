import {
  type AnyEndpoint,
  endpointName,
  hasBareErrors,
  isServedBy,
  listErrors,
  type Product,
  replyForm,
} from '@assay/contract/endpoint.ts'
import { type SignInProblem, signInPageWith } from '@assay/contract/sign-in-problems.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProjectCaller } from '../accounts/caller.ts'
import { toClientNetwork } from '../platform/client-network.ts'
import { Failure, Unavailable } from '../platform/failure.ts'
import type { Log } from '../platform/log.ts'
import type { Requester } from '../platform/requester.ts'
import { parseOtlpEncoding } from './body-encoding.ts'
import type { BodyShares } from './body-shares.ts'
import {
  AlternativeResponse,
  type Bind,
  type Call,
  type JsonPart,
  type OtlpReply,
  ReadyJson,
} from './call.ts'
import { check } from './check.ts'
import type { Cursors } from './cursor.ts'
import { errorResponseTo, isDefect, sendError } from './failures.ts'
import { admit, findCaller, type GuardPorts } from './guards.ts'
import type { JsonResponse, JsonResponses } from './json-responses.ts'
import type { CheckLargeJson } from './large-json.ts'
import type { OpenStreams } from './open-streams.ts'
import { ClientGone } from './read-body.ts'
import { type BodyReader, readRequestBody, selectReader } from './request-body.ts'
import { isUnreadableType } from './server.ts'
import type { HostCookie } from './session-cookie.ts'
import { eventStream, jsonLines, sendStream } from './streams.ts'

/*
 * Registers declared endpoints on the server: guard, then validation, then handler, then the declared form of reply.
 */

export interface BindPorts extends GuardPorts {
  readonly log: Log
  readonly product: Product
  readonly signInCookie: HostCookie
  readonly bodyShares: BodyShares
  readonly checkLargeJson: CheckLargeJson
  readonly cursors: Cursors
  readonly streams: OpenStreams
  readonly responses: JsonResponses
}

type AnyCall = Call<AnyEndpoint>
type AnyHandler = (call: AnyCall) => Promise<unknown>

interface Route {
  readonly declared: AnyEndpoint
  readonly handler: AnyHandler
  readonly reader: BodyReader
}

/** One product's server. */
export interface Host {
  readonly server: FastifyInstance
  readonly ports: BindPorts
}

/** Registers each endpoint on the servers of the products that it is declared for. */
export function binder(hosts: readonly Host[]): Bind {
  const onHosts = (declared: AnyEndpoint, handler: AnyHandler, reader: BodyReader) => {
    for (const { server, ports } of hosts) {
      if (isServedBy(ports.product, declared))
        addRoute(server, ports, { declared, handler, reader })
    }
  }
  const bind: Bind = (declared, handler) =>
    onHosts(declared, handler as AnyHandler, selectReader(declared))
  bind.unparsed = (declared, handler) => onHosts(declared, handler as AnyHandler, (bytes) => bytes)
  return bind
}

function addRoute(app: FastifyInstance, ports: BindPorts, route: Route): void {
  const { declared } = route
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      return await serve(request, reply, ports, route)
    } catch (error) {
      return refuse(request, reply, ports, declared, error)
    }
  }
  const path = `/api/v1${declared.path.replaceAll(/\{(\w+)\}/g, ':$1')}`
  for (const url of [path, ...(declared.compatiblePath ? [declared.compatiblePath] : [])]) {
    app.route({
      method: declared.method,
      url,
      // A web page has no tracing key, but exporters in containers use host names such as host.docker.internal.
      config: declared.access.by === 'tracing-key' ? { anyHost: true } : {},
      handler: (request, reply) => onRequest(request, reply),
      errorHandler(error, request, reply) {
        // The framework refuses an unreadable Content-Type before the caller is authenticated; the endpoint does after.
        if (!isUnreadableType(error)) throw error
        // Sends the response itself and never rejects.
        void onRequest(request, reply)
      },
    })
  }
}

async function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  ports: BindPorts,
  route: Route,
): Promise<FastifyReply> {
  const { declared } = route
  // First, because a client that disconnects during the next steps would not be noticed later.
  const gone = signalGone(reply)
  gone.throwIfAborted()
  const address = request.ip
  const caller = await admit(request, declared, ports)
  const requester = findRequester(caller, address)
  const form = replyForm(declared)
  const json = ports.responses.open(request, reply, requester, declared)
  const respondUntil = (signal: AbortSignal) => {
    const readOptions = { signal, requester, onLargeRead: json.reserve }
    const client = { address, userAgent: readUserAgent(request), requestId: request.id }
    return respond(request, reply, ports, route, { caller, client, readOptions })
  }
  if (form !== 'events' && form !== 'json-lines') {
    const response = await respondUntil(gone)
    return send(request, reply, declared, json, response)
  }
  const kind = form === 'json-lines' && declared.method === 'GET' ? 'export' : 'live'
  const stream = ports.streams.open(kind, requester, () => admit(request, declared, ports), gone)
  try {
    const response = await respondUntil(stream.signal)
    reply.hijack()
    const source = response as AsyncIterable<unknown>
    await sendStream(reply.raw, form === 'events' ? eventStream : jsonLines, source, {
      ...stream,
      hold: json.hold,
      report(error) {
        if (!isDefect(error)) return
        const endpoint = endpointName(declared)
        ports.log.error('a stream failed', error, { endpoint, id: request.id })
      },
    })
  } finally {
    stream.close()
  }
  return reply
}

/** Validates the request and returns what its handler responds. */
async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  ports: BindPorts,
  { declared, handler, reader }: Route,
  { caller, client, readOptions }: Pick<AnyCall, 'client' | 'readOptions'> & { caller: unknown },
): Promise<unknown> {
  const params = check(declared, declared.params, request.params)
  const checked = check(declared, declared.query, request.query)
  const query = ports.cursors.open(declared, params, checked)
  const headers = check(declared, declared.headers, request.headers)
  const { product, checkLargeJson } = ports
  const { requester } = readOptions
  const share = ports.bodyShares(declared.access, requester)
  const from = { request, requester, share, checkLargeJson }
  const { body, release } = await readRequestBody(from, declared, reader)
  const cookies = bindCookies(request, reply, ports)
  const call = {
    params,
    query,
    headers,
    body,
    caller,
    client,
    signal: readOptions.signal,
    readOptions,
    product,
    ...cookies,
  } as AnyCall
  const result = await handler(call).finally(release)
  return ports.cursors.seal(declared, params, query, result)
}

const readUserAgent = ({ headers }: FastifyRequest) => headers['user-agent']?.slice(0, 256) ?? null

/** A tracing key counts as its project. */
function findRequester(caller: unknown, address: string): Requester {
  const { user, organizationId, projectId } = (caller ?? {}) as Partial<ProjectCaller>
  const userId = user?.id ?? projectId ?? toClientNetwork(address)
  return [organizationId ?? userId, userId]
}

function bindCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  ports: BindPorts,
): Pick<AnyCall, 'setSession' | 'findCaller' | 'signIn'> {
  const { cookie, signInCookie } = ports
  return {
    setSession(session) {
      void reply.header(
        'set-cookie',
        session === null ? cookie.clear() : cookie.write(session.token, session.expiresAt),
      )
    },
    findCaller: () => findCaller(request, ports),
    signIn: {
      read: () => signInCookie.read(request.headers.cookie),
      write(value, expiresAt) {
        void reply.header('set-cookie', signInCookie.write(value, expiresAt))
      },
    },
  }
}

function signalGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (reply.raw.destroyed) gone.abort(clientGone())
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(clientGone())
  })
  return gone.signal
}

const clientGone = () => new ClientGone('The client closed the connection.')

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  declared: AnyEndpoint,
  json: JsonResponse,
  result: unknown,
): Promise<FastifyReply> {
  const form = replyForm(declared)
  const { status, response } = withStatus(declared, result)
  void reply.status(status).header('cache-control', 'no-store')
  if (form === 'redirect') return sendOn(reply, response as string)
  if (form === 'xml') return reply.header('content-type', 'application/xml').send(response)
  if (form === 'otlp') {
    // Without a charset: collectors compare the value byte for byte.
    const encoding = parseOtlpEncoding(request.headers['content-type'])
    const type = encoding === 'json' ? 'application/json' : 'application/x-protobuf'
    const { bytes } = response as OtlpReply
    return reply.header('content-type', type).send(Buffer.from(bytes))
  }
  return await json.send(serialize(declared, response))
}

function withStatus({ success }: AnyEndpoint, result: unknown) {
  if (!(result instanceof AlternativeResponse)) return { status: success.status, response: result }
  return { status: success.alternative?.status ?? success.status, response: result.data as unknown }
}

/** The current address may contain a code, which must not be sent as the referrer. */
function sendOn(reply: FastifyReply, location: string): FastifyReply {
  return reply.status(303).headers({ location, 'referrer-policy': 'no-referrer' }).send()
}

function serialize(declared: AnyEndpoint, response: unknown): readonly JsonPart[] {
  if (replyForm(declared) === 'bare') return serializeData(response)
  if (declared.success.meta === undefined) return ['{"data":', ...serializeData(response), '}']
  const { data, meta } = response as { data: unknown; meta: unknown }
  return ['{"data":', ...serializeData(data), `,"meta":${JSON.stringify(meta)}}`]
}

function serializeData(data: unknown): readonly JsonPart[] {
  return data instanceof ReadyJson ? data.parts : [JSON.stringify(data)]
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  { log }: BindPorts,
  declared: AnyEndpoint,
  error: unknown,
): FastifyReply {
  // A client that disconnects is not an error.
  if (error instanceof ClientGone) return reply.hijack()
  const exposed = onlyDeclared(error, declared)
  if (isDefect(exposed))
    log.error('a request failed', exposed, { endpoint: endpointName(declared), id: request.id })
  if (replyForm(declared) === 'redirect') {
    return sendOn(reply.header('cache-control', 'no-store'), signInPageWith(toProblem(exposed)))
  }
  return sendError(reply, errorResponseTo(exposed), hasBareErrors(declared))
}

function toProblem(error: unknown): SignInProblem {
  if (error instanceof Unavailable) return 'unavailable'
  return error instanceof Failure ? 'invalid_response' : 'unexpected'
}

/** A refusal that the contract does not declare is a defect and must not look deliberate. */
function onlyDeclared(error: unknown, declared: AnyEndpoint): unknown {
  if (!(error instanceof Failure) || replyForm(declared) === 'redirect') return error
  const isDeclared = listErrors(declared).some(
    ({ code, status }) => code === error.code && status === error.status,
  )
  if (isDeclared) return error
  const message = `${endpointName(declared)} refused with undeclared ${error.code} ${error.status}`
  return new Error(message, { cause: error })
}
