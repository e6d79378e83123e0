import { type AnyEndpoint, type Body, invalidCode } from '@assay/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import { Failure } from '../platform/failure.ts'
import type { Requester } from '../platform/requester.ts'
import { jsonBytesMax } from '../platform/scale-to-memory.ts'
import { parseCompression, parseOtlpEncoding } from './body-encoding.ts'
import type { BodyShare } from './body-shares.ts'
import { checkedForm } from './form-body.ts'
import { checkedJson } from './json-body.ts'
import { type CheckLargeJson, smallBodyBytes } from './large-json.ts'
import { refuseStart, uploadedIn } from './multipart.ts'
import { readBody } from './read-body.ts'

/*
 * From a request to the body that its handler gets, in each form that an endpoint may declare.
 */

/** Converts the bytes of a body to what the handler gets. */
export type BodyReader = (bytes: Uint8Array<ArrayBuffer>, from: BodySource) => unknown

export interface BodySource {
  readonly request: FastifyRequest
  readonly requester: Requester
  readonly share: BodyShare
  readonly checkLargeJson: CheckLargeJson
}

export interface BufferedBody {
  readonly body: unknown
  /** Call it when the handler is done: the bytes count against the share of the caller until then. */
  release(): void
}

/**
 * Reads the declared body, at most as many bytes as declared, and fewer of JSON with little memory; throws the declared
 * refusals.
 */
export async function readRequestBody(
  from: BodySource,
  declared: AnyEndpoint,
  reader: BodyReader,
): Promise<BufferedBody> {
  const { request, share } = from
  const body: Body | undefined = declared.body
  if (body === undefined) return { body: undefined, release: () => undefined }
  if (body.as !== 'otlp') mustBe(mediaTypes[body.as], request, declared)
  const { bytes, release } = await readBody(
    request.raw,
    bytesMax(body),
    share,
    async (start) => {
      if (body.as === 'multipart') await refuseStart(start, typeOf(request), body)
      return tooLarge(declared, body)
    },
    body.as === 'multipart' && body.extensions !== undefined ? uploadStartBytes : 0,
  )
  try {
    return { body: await reader(bytes, from), release }
  } catch (error) {
    release()
    throw error
  }
}

/** Where the name of an uploaded file is looked for in a body that is too large. */
const uploadStartBytes = 64 * 1024

const typeOf = ({ headers }: FastifyRequest): string => headers['content-type'] ?? ''

const mediaTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const

const bytesMax = ({ as, maxBytes }: Body): number =>
  as === 'json' ? jsonBytesMax(maxBytes) : maxBytes

function tooLarge({ refusals }: AnyEndpoint, body: Body): Failure {
  const { as } = body

  // Specification, "OTLP endpoint errors": 400, where OTLP itself has 413.
  if (as === 'otlp') return new Failure('VALIDATION_ERROR', 'OTLP payload is too large.')
  const message = `The body is larger than ${bytesMax(body)} bytes.`
  if (refusals !== 'chat') return new Failure('VALIDATION_ERROR', message, { status: 413 })
  return new Failure(as === 'multipart' ? 'TOO_LARGE' : 'INVALID_BODY', message)
}

function mustBe(mediaType: string, { headers }: FastifyRequest, { refusals }: AnyEndpoint): void {
  const unsupported = (message: string) =>
    refusals === 'chat'
      ? new Failure('INVALID_BODY', message)
      : new Failure('VALIDATION_ERROR', message, { status: 415 })
  const isEmpty = headers['content-length'] === '0' || !hasBody(headers)
  const [given = ''] = (headers['content-type'] ?? '').split(';')
  const isRight = given.trim().toLowerCase() === mediaType
  if (!isRight && !isEmpty) {
    throw unsupported(`Content-Type must be ${mediaType}.`)
  }
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity' && encoding !== '') {
    throw unsupported('Content-Encoding is not supported here.')
  }
}

function hasBody(headers: FastifyRequest['headers']): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** The reader of the declared form. */
export function selectReader(declared: AnyEndpoint): BodyReader {
  const body: Body | undefined = declared.body
  if (body?.as === 'otlp') {
    return (bytes, { request: { headers } }) => ({
      bytes,
      encoding: parseOtlpEncoding(headers['content-type']),
      compression: parseCompression(headers['content-encoding']),
    })
  }
  if (body?.as === 'multipart') {
    const code = invalidCode(declared, 'body')
    return (bytes, { request }) => uploadedIn(bytes, typeOf(request), body, code)
  }
  if (body?.as === 'form') return (bytes) => checkedForm(declared, bytes)
  return (bytes, { requester, checkLargeJson }) =>
    bytes.byteLength <= smallBodyBytes
      ? checkedJson(declared, bytes)
      : checkLargeJson(declared, bytes, requester)
}
