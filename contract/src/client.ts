import type { AnyEndpoint, Args, DataOf, MetaOf } from './endpoint.ts'
import { isPathSegment } from './path-segments.ts'

/*
 * Calls a declared endpoint, typed by its declaration. Works in browsers and in Node, for the enveloped and
 * bare reply forms; streams have their own readers.
 */

/** An error of the service, or a response that is not from the service (`code` is then `UNREACHABLE`). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    code: string,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = details
  }
}

export interface Answer<E> {
  readonly data: DataOf<E>
  readonly meta: MetaOf<E>
}

/** For example one that does not round large numbers. */
type ParseJson = (text: string) => unknown

/** Sends the request and returns `data` and `meta`; throws `ApiError` for any other outcome. */
export async function callWithMeta<E extends AnyEndpoint>(
  base: string,
  declared: E,
  args: Args<E>,
  init: RequestInit = {},
  parse: ParseJson = JSON.parse,
): Promise<Answer<E>> {
  const response = await send(base, declared, args, init)
  const parsed = await parseResponse(response, parse)
  if (!response.ok || parsed === undefined) throw toApiError(response, parsed)
  return (declared.reply === 'bare' ? { data: parsed, meta: undefined } : parsed) as Answer<E>
}

/** Sends the request and returns the body of the response; throws `ApiError` if it is refused. */
export async function openStream<E extends AnyEndpoint>(
  base: string,
  declared: E,
  args: Args<E>,
  init: RequestInit = {},
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const response = await send(base, declared, args, init)
  if (!response.ok || response.body === null) {
    throw toApiError(response, await parseResponse(response, JSON.parse))
  }
  return response.body
}

function send<E extends AnyEndpoint>(
  base: string,
  declared: E,
  args: Args<E>,
  init: RequestInit,
): Promise<Response> {
  const { params, query, headers, body } = args as LooseArgs
  return fetch(base + buildPath(declared, params, query), {
    ...init,
    method: declared.method,
    credentials: 'same-origin',
    headers: {
      ...(init.headers as Record<string, string> | undefined),
      ...(headers as Record<string, string> | undefined),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    if (init.signal?.aborted === true) throw cause
    throw new ApiError(0, 'UNREACHABLE', 'The service cannot be reached. Check your connection.')
  })
}

async function parseResponse(
  response: Response,
  parse: ParseJson,
): Promise<LooseResponse | undefined> {
  try {
    return parse(await response.text()) as LooseResponse
  } catch {
    return undefined
  }
}

function toApiError({ status }: Response, parsed: LooseResponse | undefined): ApiError {
  const error = parsed?.error
  const message = error?.message ?? `The service responded with ${status} and no message.`
  return new ApiError(status, error?.code ?? 'UNREACHABLE', message, error?.details)
}

/** Like `callWithMeta`, but returns only `data`. */
export async function call<E extends AnyEndpoint>(
  base: string,
  declared: E,
  args: Args<E>,
  init?: RequestInit,
  parse?: ParseJson,
): Promise<DataOf<E>> {
  return (await callWithMeta(base, declared, args, init, parse)).data
}

interface LooseArgs {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: unknown
  readonly body?: unknown
}

interface LooseResponse {
  readonly error?: { code: string; message: string; details?: Record<string, unknown> }
}

/**
 * The path with escaped parameters and the query string; absent values are left out. Throws if a parameter is empty,
 * `.` or `..`: the path would be that of another endpoint.
 */
export function buildPath(
  declared: AnyEndpoint,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const path = declared.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    escapeSegment(name, params[name] ?? ''),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one))
    }
  }
  const text = search.toString()
  return text === '' ? path : `${path}?${text}`
}

function escapeSegment(name: string, value: string): string {
  if (isPathSegment(value)) return encodeURIComponent(value)
  const rejected = value === '' ? 'an empty text' : `"${value}"`
  throw new ApiError(400, 'VALIDATION_ERROR', `An address cannot contain ${rejected} as ${name}.`)
}
