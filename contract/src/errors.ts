/*
 * The error codes that clients may branch on, with the HTTP statuses each may carry, the default first.
 * Source: interface specification, "Errors".
 */

export const errorStatuses = {
  UNAUTHORIZED: [401],
  UNAUTHENTICATED: [401],
  INVALID_BODY: [400],
  INVALID_QUERY: [400],
  ENROLL_FAILED: [400],
  FORBIDDEN: [403],
  NOT_FOUND: [404],
  ORG_NOT_FOUND: [404],
  PROJECT_NOT_FOUND: [404],
  MEMBER_NOT_FOUND: [404],
  VALIDATION_ERROR: [400, 405, 408, 413, 415, 422, 431],
  CONFLICT: [409],
  NO_MODELS: [409],
  PLATFORM_ACCESS_REQUIRED: [409],
  TOO_LARGE: [413],
  UNSUPPORTED_TYPE: [422],
  EMPTY: [422],
  ENCRYPTED: [422],
  UNREADABLE: [422],
  RATE_LIMITED: [429],
  INTERNAL_ERROR: [500, 502, 503],
} as const

export type ErrorCode = keyof typeof errorStatuses

/** A status that `Code` may carry. */
export type StatusOf<Code extends ErrorCode> = (typeof errorStatuses)[Code][number]

/**
 * An error that an endpoint may return: a code with its default status, or a code with another of its
 * statuses.
 */
export type ErrorCase = { [Code in ErrorCode]: Code | `${Code} ${StatusOf<Code>}` }[ErrorCode]

export interface ParsedErrorCase {
  readonly code: ErrorCode
  readonly status: number
}

/** Splits `'VALIDATION_ERROR 415'` into its parts; a bare code has its default status. */
export function parseErrorCase(declared: ErrorCase): ParsedErrorCase {
  const [code, status] = declared.split(' ') as [ErrorCode, string | undefined]
  return { code, status: status === undefined ? errorStatuses[code][0] : Number(status) }
}

export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'No valid tracing key (ingestion) or no signed-in session (everything else).',
  UNAUTHENTICATED: 'No signed-in session, on the chat and encryption-key endpoints.',
  INVALID_BODY: 'The body of a chat or encryption-key request is not valid.',
  INVALID_QUERY: 'The query of a chat or encryption-key request is not valid.',
  ENROLL_FAILED: 'The statement about an encryption key was refused; the message has the reason.',
  FORBIDDEN:
    'Not a member of the organization, a missing permission, an action never allowed, or a request from another site or to another host.',
  NOT_FOUND:
    'The resource does not exist in this project or organization, or the route does not exist.',
  ORG_NOT_FOUND: 'No organization with that slug is visible to the caller.',
  PROJECT_NOT_FOUND:
    'The project does not exist or is not in an organization the caller belongs to.',
  MEMBER_NOT_FOUND: 'Reserved; no endpoint returns it.',
  VALIDATION_ERROR:
    'The request is invalid: its body or parameters (400), method (405), slowness (408), size (413), content type (415), content (422) or headers (431).',
  CONFLICT: 'The request conflicts with existing data.',
  NO_MODELS: 'The organization has no model configuration.',
  PLATFORM_ACCESS_REQUIRED:
    'The e-mail address is not approved for this service: a super admin adds it, or its domain, under platform access.',
  TOO_LARGE: 'The uploaded file is too large.',
  UNSUPPORTED_TYPE: 'The extension of the uploaded file is not supported.',
  EMPTY: 'The uploaded file has no text, for example because its pages are scans.',
  ENCRYPTED: 'The uploaded file is protected by a password.',
  UNREADABLE: 'The uploaded file is damaged, binary, or not of the type of its extension.',
  RATE_LIMITED: 'Too many requests or failed attempts; Retry-After has the seconds to wait.',
  INTERNAL_ERROR:
    'The server failed (500), a model call failed (502), or a part is busy or not configured (503, with Retry-After where a retry helps, and timed_out in details if a query took too long).',
}
