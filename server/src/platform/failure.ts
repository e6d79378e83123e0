import { type ErrorCode, errorStatuses, type StatusOf } from '@assay/contract/errors.ts'

/*
 * The two kinds of error that reach a client on purpose. Anything else that is thrown is a defect
 * and becomes INTERNAL_ERROR with a generic message.
 */

export interface FailureOptions<Code extends ErrorCode> extends ErrorOptions {
  /** Another of the code's statuses than its usual one. */
  readonly status?: StatusOf<Code>
  /** Shown to the client. */
  readonly details?: Readonly<Record<string, unknown>>
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
  /** How many spans were rejected with the request. Counted, not shown. */
  readonly rejectedSpans?: number
}

/** A refusal the caller is meant to see: `code` to branch on, `message` to read; `cause` is logged and never shown. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined
  readonly rejectedSpans: number

  constructor(code: ErrorCode, message: string, options: FailureOptions<ErrorCode> = {}) {
    super(message, options)
    this.name = 'Failure'
    this.code = code
    this.status = options.status ?? errorStatuses[code][0]
    this.details = options.details ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
    this.rejectedSpans = options.rejectedSpans ?? 0
  }
}

/**
 * The request is valid but cannot be served now: responds with 503 and `Retry-After`, which OTLP exporters retry
 * (they drop data on 500).
 */
export class Unavailable extends Error {
  readonly retryAfterSeconds: number
  /** Shown to the client. */
  readonly details: Readonly<Record<string, unknown>> = {}
  /** The setting of the database that is unavailable, for operators. */
  readonly setting: string | undefined

  constructor(
    message: string,
    retryAfterSeconds: number,
    options?: ErrorOptions & { readonly setting?: string },
  ) {
    super(message, options)
    this.name = 'Unavailable'
    this.setting = options?.setting
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The position of a page that this service did not issue, or can no longer decode. */
export class InvalidCursor extends Failure {
  constructor(code: 'VALIDATION_ERROR' | 'INVALID_QUERY' = 'VALIDATION_ERROR') {
    super(
      code,
      `cursor must be ${code === 'INVALID_QUERY' ? '' : 'meta.'}cursor of an earlier page`,
    )
  }
}

export const projectNotFound = () => new Failure('PROJECT_NOT_FOUND', 'Project not found.')
export const organizationNotFound = () => new Failure('ORG_NOT_FOUND', 'Organization not found.')
