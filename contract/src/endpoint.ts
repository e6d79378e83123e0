import type { z } from 'zod'
import { type Access, hasPermission, type Permission, roles } from './access.ts'
import { type ErrorCase, type ParsedErrorCase, parseErrorCase } from './errors.ts'

/*
 * An endpoint as data: everything its callers see, nothing of its implementation. Guards, validation,
 * OpenAPI, the typed client, the reference pages and the contract-wide tests all read it.
 */

/** The two products of the service. Each has its own host and a web app that uses only that host. */
export type Product = 'tracing' | 'chat'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** How an invalid body or parameter is reported. Source: interface specification, "Validation details". */
export type InvalidForm =
  /** The first problem in `message`, with empty `details`. */
  | 'first'
  /** A fixed `message`; all problems in `details.issues`, grouped by top-level field. */
  | { readonly grouped: string }
  /** Up to five raw issues in `details.issues`. */
  | 'first-five'

export type Body<Schema extends z.ZodType = z.ZodType> =
  | {
      readonly as: 'json'
      readonly schema: Schema
      readonly maxBytes: number
      /** The status for a body that is not JSON: the specification requires 500 on most app endpoints. */
      readonly malformed: 400 | 500
      /** Objects and arrays. */
      readonly maxContainers: number
      /** Objects, arrays and what is in them. Default: as many as there is room for. */
      readonly maxValues?: number
      /** Whether numbers that a double cannot represent are stored as they were sent. */
      readonly keepsNumbers: boolean
    }
  /** A form posted by a browser: every value is text. */
  | { readonly as: 'form'; readonly schema: Schema; readonly maxBytes: number }
  /** One file in the part named `field`; the schema is `uploadedFile`. */
  | {
      readonly as: 'multipart'
      readonly field: string
      readonly schema: Schema
      readonly maxBytes: number
      /** In lower case. Files with another one are refused as UNSUPPORTED_TYPE, however large they are. */
      readonly extensions?: readonly string[]
    }
  | { readonly as: 'otlp'; readonly maxBytes: number }

/**
 * What one request may cost. `cheap`: a few rows of accounts, found by key. `expensive`: anything else, such as long
 * lists, reading or writing telemetry, hashing a password, calling another server, starting a job or holding a connection open. Each
 * expensive endpoint has a row in the load harness (bench/attacks/attacks.ts).
 */
export type Cost = 'cheap' | 'expensive'

export interface Success<Data extends z.ZodType, Meta extends z.ZodType> {
  readonly status: 200 | 201 | 202 | 303
  /** For `events` and `json-lines`, the shape of one event or line; for `redirect`, of the URL. */
  readonly data: Data
  readonly meta?: Meta
  /** Another status for the same `data`. `when` completes "Response 200, or 202". */
  readonly alternative?: { readonly status: 200 | 202; readonly when: string }
}

export type ReplyForm =
  /** `{ data, meta? }`. */
  | 'envelope'
  /** The object itself; errors carry no `details`. */
  | 'bare'
  /** An OTLP `Export*ServiceResponse` in the encoding of the request. */
  | 'otlp'
  /** `text/event-stream`, one JSON value per message. */
  | 'events'
  /** `application/x-ndjson`, one JSON value per line. */
  | 'json-lines'
  /**
   * Sends a browser on, for good and for ill: every failure leads to the sign-in page with one of
   * `signInProblems`, so there is no refusal to declare.
   */
  | 'redirect'
  /** The text of an XML document. */
  | 'xml'

export interface Endpoint<
  A extends Access = Access,
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Headers extends z.ZodType = z.ZodType,
  Input extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
  Meta extends z.ZodType = z.ZodType,
  Reply extends ReplyForm = ReplyForm,
> {
  readonly method: Method
  readonly path: `/${string}`
  /**
   * A second path, complete, that the clients of another service request. There, the tracing key may also be the user
   * name or the password of Basic authentication.
   */
  readonly compatiblePath?: `/${string}`
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly access: A
  readonly cost: Cost
  /** The product that serves it; the other responds with 404. Default: `tracing`. */
  readonly product?: 'both' | 'chat'
  /** Pages of other sites, such as an identity provider, may send it. */
  readonly fromOtherSites?: true
  /**
   * The codes of the refusals before its handler. `chat`: `UNAUTHENTICATED`, `INVALID_BODY`, `INVALID_QUERY` and
   * `TOO_LARGE`; its errors have no `details`. Source: interface specification, "Chat and encryption-key endpoint errors".
   */
  readonly refusals?: 'chat'
  readonly params?: Params
  readonly query?: Query
  /** Request headers that the endpoint reads, by lower-case name. */
  readonly headers?: Headers
  readonly body?: Body<Input>
  readonly invalid?: InvalidForm
  /** Default: `envelope`. */
  readonly reply?: Reply
  readonly success: Success<Data, Meta>
  /** Errors beyond those implied by `access`, `body` and `params`. */
  readonly errors?: readonly ErrorCase[]
}

export function endpoint<
  const A extends Access,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Headers extends z.ZodType = z.ZodUndefined,
  Input extends z.ZodType = z.ZodUndefined,
  Data extends z.ZodType = z.ZodType,
  Meta extends z.ZodType = z.ZodUndefined,
  const Reply extends ReplyForm = 'envelope',
>(
  declared: Endpoint<A, Params, Query, Headers, Input, Data, Meta, Reply>,
): Endpoint<A, Params, Query, Headers, Input, Data, Meta, Reply> {
  return Object.freeze(declared)
}

// oxlint-disable-next-line typescript/no-explicit-any -- the variance of zod's types leaves no other way to say "any endpoint at all"
export type AnyEndpoint = Endpoint<any, any, any, any, any, any, any, any>

/** The input of a handler: validated values. */
export type Input<E> =
  E extends Endpoint<Access, infer P, infer Q, infer H, infer B, z.ZodType, z.ZodType, ReplyForm>
    ? {
        readonly params: z.output<P>
        readonly query: z.output<Q>
        readonly headers: z.output<H>
        readonly body: z.output<B>
      }
    : never

/** The arguments of a client: values before validation, defaults optional. */
export type Args<E> =
  E extends Endpoint<Access, infer P, infer Q, infer H, infer B, z.ZodType, z.ZodType, ReplyForm>
    ? OptionalIfUndefined<{
        params: z.input<P>
        query: z.input<Q>
        headers: z.input<H>
        body: z.input<B>
      }>
    : never

type OutputOf<E, Part extends 'data' | 'meta'> = E extends {
  readonly success: { readonly [K in Part]?: infer Schema }
}
  ? Schema extends z.ZodType
    ? z.output<Schema>
    : undefined
  : never

export type DataOf<E> = OutputOf<E, 'data'>
export type MetaOf<E> = OutputOf<E, 'meta'>

/** The reply form as a type: `envelope` unless declared. */
export type ReplyFormOf<E> =
  E extends Endpoint<
    Access,
    z.ZodType,
    z.ZodType,
    z.ZodType,
    z.ZodType,
    z.ZodType,
    z.ZodType,
    infer Reply
  >
    ? Reply
    : never

type OptionalIfUndefined<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & { readonly [K in keyof T as undefined extends T[K] ? K : never]?: T[K] }

/** `POST /traces/ingest`: the label of an endpoint in tests, logs and metrics. */
export function endpointName(declared: AnyEndpoint): string {
  return `${declared.method} ${declared.path}`
}

export function isServedBy(product: Product, declared: AnyEndpoint): boolean {
  return declared.product === 'both' || (declared.product ?? 'tracing') === product
}

export function isSuccess(declared: AnyEndpoint, status: number): boolean {
  const { success } = declared
  return status === success.status || status === success.alternative?.status
}

export function replyForm(declared: AnyEndpoint): ReplyForm {
  return declared.reply ?? 'envelope'
}

/** Whether its errors are `{ error: { code, message } }`. */
export function hasBareErrors(declared: AnyEndpoint): boolean {
  return declared.refusals === 'chat' || replyForm(declared) === 'bare'
}

/** The code of a refused body or query. */
export function invalidCode<Part extends 'body' | 'query'>(
  { refusals }: AnyEndpoint,
  part: Part,
): 'VALIDATION_ERROR' | `INVALID_${Uppercase<Part>}` {
  return refusals === 'chat'
    ? (`INVALID_${part.toUpperCase()}` as `INVALID_${Uppercase<Part>}`)
    : 'VALIDATION_ERROR'
}

/** Every error a client must expect: those implied by the declaration, then its own. */
export function listErrors(declared: AnyEndpoint): readonly ParsedErrorCase[] {
  const cases: ErrorCase[] = [
    ...impliedByAccess(declared),
    ...impliedByInput(declared),
    ...impliedByReply(declared),
    ...(declared.errors ?? []),
  ]
  const parsed = cases.map(parseErrorCase)
  return parsed.filter(
    (one, at) =>
      parsed.findIndex((other) => other.code === one.code && other.status === one.status) === at,
  )
}

function impliedByAccess({ access, method, fromOtherSites, refusals }: AnyEndpoint): ErrorCase[] {
  const declared: Access = access
  if (declared.by === 'tracing-key') return ['UNAUTHORIZED', 'INTERNAL_ERROR 503']
  // Unsafe methods refuse cross-site requests from browsers.
  const cases: ErrorCase[] = method === 'GET' || fromOtherSites ? [] : ['FORBIDDEN']
  if (declared.by === 'anonymous') return cases
  cases.push(refusals === 'chat' ? 'UNAUTHENTICATED' : 'UNAUTHORIZED')
  if (!('of' in declared)) return cases
  if (declared.of === 'project') cases.push('PROJECT_NOT_FOUND')
  if (declared.of !== 'project' || !isForEveryRole(declared.anyOf)) cases.push('FORBIDDEN')
  return cases
}

function isForEveryRole(anyOf: readonly Permission[] | undefined): boolean {
  if (anyOf === undefined) return true
  return roles.every((role) => anyOf.some((permission) => hasPermission(role, permission)))
}

/** 503: the caller, their organization or all together have too many open streams. */
function impliedByReply({ reply }: AnyEndpoint): ErrorCase[] {
  return reply === 'events' || reply === 'json-lines' ? ['INTERNAL_ERROR 503'] : []
}

function impliedByInput(endpoint: AnyEndpoint): ErrorCase[] {
  const { body, query, headers, reply } = endpoint
  if (reply === 'redirect') return []
  if (endpoint.refusals === 'chat') return impliedByChatInput(endpoint)
  const cases: ErrorCase[] = []
  if ([body, query, headers].some((part) => part !== undefined)) cases.push('VALIDATION_ERROR')
  if (body === undefined) return cases
  const declared: Body = body
  // 503: the caller, or callers of its kind, send too much at once.
  cases.push('INTERNAL_ERROR 503')
  if (declared.as !== 'otlp') cases.push('VALIDATION_ERROR 413', 'VALIDATION_ERROR 415')
  if (declared.as === 'json' && declared.malformed === 500) cases.push('INTERNAL_ERROR')
  return cases
}

function impliedByChatInput({ body, query }: AnyEndpoint): ErrorCase[] {
  const cases: ErrorCase[] = query === undefined ? [] : ['INVALID_QUERY']
  if (body === undefined) return cases
  const declared: Body = body
  if (declared.as === 'multipart') cases.push('TOO_LARGE')
  return [...cases, 'INVALID_BODY', 'INTERNAL_ERROR 503']
}
