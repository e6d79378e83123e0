import type { ErrorCode } from '@assay/contract/errors.ts'
import type { FastifyReply } from 'fastify'
import { Failure, Unavailable } from '../platform/failure.ts'

/*
 * The one place that decides which error a client sees.
 */

export interface ErrorResponse {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number | undefined
}

/** Anything but a `Failure` or `Unavailable` is a defect, and its response reveals nothing. */
export function errorResponseTo(error: unknown): ErrorResponse {
  if (error instanceof Failure) {
    const { status, code, message, details, retryAfterSeconds } = error
    return { status, code, message, details, retryAfterSeconds }
  }
  if (error instanceof Unavailable) {
    const { message, details, retryAfterSeconds } = error
    return { status: 503, code: 'INTERNAL_ERROR', message, details, retryAfterSeconds }
  }
  return {
    status: 500,
    code: 'INTERNAL_ERROR',
    message: 'An unexpected error occurred.',
    details: {},
  }
}

/** Whether the error must be logged and investigated: the contract does not declare it. */
export function isDefect(error: unknown): boolean {
  return !(error instanceof Failure || error instanceof Unavailable)
}

/** `{ error: { code, message, details } }`; the bare form has no `details`. */
export function errorBody(response: ErrorResponse, isBare: boolean): string {
  const { code, message, details } = response
  return JSON.stringify({ error: isBare ? { code, message } : { code, message, details } })
}

export function sendError(
  reply: FastifyReply,
  response: ErrorResponse,
  isBare: boolean,
): FastifyReply {
  if (response.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', String(response.retryAfterSeconds))
  }
  return (
    reply
      .status(response.status)
      .header('content-type', 'application/json; charset=utf-8')
      // The server sets it too, but not for errors of the framework.
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store')
      .send(errorBody(response, isBare))
  )
}
