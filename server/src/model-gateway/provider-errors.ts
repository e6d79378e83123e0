import type { APICallError } from '@ai-sdk/provider'
import {
  OutboundCut,
  OutboundFailed,
  OutboundRefused,
  OutboundTooLarge,
} from '../platform/outbound-fetch.ts'
import type { CallErrorKind } from './model-call.ts'
import { ErrorInReply, NotAStream, ReplyCut, ToolCalled, UnreadableReply } from './reply-errors.ts'

/*
 * What went wrong with a request to a provider, in words for users, and whether another attempt can help.
 */

export interface ProviderProblem {
  readonly kind: CallErrorKind
  readonly message: string
  readonly status: number | null
  readonly isTransient: boolean
  /** The model does not accept the temperature, the usual name of the maximum length, or to be asked for usage. */
  readonly isParameterRefused: boolean
  /** The delay that the provider asks for. */
  readonly retryAfterMs: number | undefined
}

const problem = (
  kind: CallErrorKind,
  message: string,
  more: Partial<ProviderProblem> = {},
): ProviderProblem => ({
  ...{ kind, message, status: null, isTransient: false, isParameterRefused: false },
  retryAfterMs: undefined,
  ...more,
})

/** Undefined for an error that is not about the provider: a defect. */
export function toProviderProblem(
  error: unknown,
  apiKey: string | null,
): ProviderProblem | undefined {
  if (error instanceof OutboundRefused) {
    const allow = 'Ask the operator to allow it (ASSAY_MODEL_ALLOW_NETWORKS).'
    return problem('provider_error', `The model cannot be reached. ${error.message} ${allow}`)
  }
  if (error instanceof OutboundCut || error instanceof ReplyCut) {
    const message = 'The provider closed the connection before the end of its response.'
    return problem('provider_error', message, { isTransient: true })
  }
  if (error instanceof ErrorInReply) return toReportedProblem(error.reported, apiKey)
  if (error instanceof NotAStream) return undocumented
  // The clients fail in various ways at what no provider sends.
  if (error instanceof UnreadableReply)
    return toProviderProblem(error.cause, apiKey) ?? undocumented
  if (error instanceof ToolCalled) {
    return problem('invalid_output', 'The model called a tool, and none was offered to it.')
  }
  if (error instanceof OutboundFailed) {
    const message = `The model cannot be reached. ${error.message}`
    const isTransient = !(error instanceof OutboundTooLarge)
    return problem('provider_error', message, { isTransient })
  }
  if (isApiCallError(error)) {
    // The clients wrap errors of the connection.
    if (error.statusCode === undefined || isOfStream(error.cause)) {
      return toProviderProblem(error.cause, apiKey)
    }
    return toStatusProblem(error, error.statusCode, apiKey)
  }
  // Thrown by the clients for a response without what the API always has.
  if (error instanceof Error && error.name.startsWith('AI_')) {
    return undocumented
  }
  return undefined
}

const undocumented = problem(
  'invalid_output',
  'The response of the provider is not in its documented form.',
)

function isOfStream(cause: unknown): boolean {
  return [OutboundFailed, NotAStream, ErrorInReply].some((kind) => cause instanceof kind)
}

/** Without loading the package, whose own check does the same. */
function isApiCallError(error: unknown): error is APICallError {
  return error instanceof Error && error.name === 'AI_APICallError'
}

function toStatusProblem(
  error: APICallError,
  status: number,
  apiKey: string | null,
): ProviderProblem {
  const { responseHeaders = {} } = error
  if (status === 200) {
    return { ...undocumented, status }
  }
  const reported = toPublicText(error.message, apiKey)
  const facts = `${reported} ${error.responseBody?.slice(0, 10_000) ?? ''}`
  const retryAfterMs = toRetryAfterMs(responseHeaders)
  return { ...toFactsProblem(status, reported, facts), retryAfterMs }
}

function toFactsProblem(status: number, reported: string, facts: string): ProviderProblem {
  if (isAbout(contextTooLong, status, facts)) {
    const message = 'The text is longer than the context window of the model.'
    return problem('provider_error', message, { status })
  }
  if (isAbout(filtered, status, facts)) {
    return problem('refused', "The provider's content filter refused the request.", { status })
  }
  const isTransient = status === 429 || status >= 500
  const isParameterRefused =
    (status === 400 && refusedParameter.test(facts)) ||
    ((status === 400 || status === 422) && facts.includes('stream_options'))
  const message = statusMessage(status, reported)
  return problem('provider_error', message, { status, isTransient, isParameterRefused })
}

/** Of an error event: the clients know the status that belongs to the usual ones. */
function toReportedProblem(reported: unknown, apiKey: string | null): ProviderProblem {
  if (reported instanceof Error) {
    const known = toProviderProblem(reported, apiKey)
    if (known !== undefined) return known
  }
  const { message, statusCode, type, code, isRetryable } = toReportedError(reported)
  const text = toPublicText(message, apiKey)
  const facts = `${text} ${type} ${code}`
  const found = toFactsProblem(statusCode ?? (transientCode.test(facts) ? 500 : 400), text, facts)
  const isTransient = isRetryable ?? found.isTransient
  if (statusCode !== undefined) return { ...found, isTransient }
  const hasOwnMessage = found.kind !== 'provider_error' || isAbout(contextTooLong, 400, facts)
  const shown = hasOwnMessage ? found.message : `The provider reported an error: ${text}`
  return { ...found, message: shown, status: null, isTransient }
}

const transientCode = /rate_?limit|overloaded|server_error|internal|unavailable|timeout/i

interface ReportedError {
  readonly message: string
  readonly statusCode: number | undefined
  readonly type: string
  readonly code: string
  readonly isRetryable: boolean | undefined
}

/** Anyone can configure a provider, so every member can be anything. */
function toReportedError(reported: unknown): ReportedError {
  const members = typeof reported === 'object' && reported !== null ? reported : {}
  const { message, statusCode, type, code, isRetryable } = members as Record<string, unknown>
  const text = typeof reported === 'string' ? reported : message
  return {
    message: typeof text === 'string' && text !== '' ? text : 'no message',
    statusCode: typeof statusCode === 'number' ? statusCode : undefined,
    type: typeof type === 'string' ? type : '',
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : '',
    isRetryable: typeof isRetryable === 'boolean' ? isRetryable : undefined,
  }
}

const contextTooLong =
  /context_length_exceeded|context (?:length|window|size)|prompt is too long|input is too long|too many (?:input |prompt )?tokens|maximum (?:number of )?(?:input |prompt )?tokens|exceeds? the (?:model's )?max(?:imum)? (?:context|input|length)/i
const refusedParameter =
  /(?:unsupported|not support(?:ed)?|does not support)[^.]{0,80}\b(?:temperature|max_(?:completion_)?tokens)\b|\b(?:temperature|max_(?:completion_)?tokens)\b[^.]{0,80}(?:unsupported|not support)/i
const filtered = /content[_ ](?:filter|policy|management)|responsible_?ai_?policy/i

function isAbout(pattern: RegExp, status: number, facts: string): boolean {
  return (status === 400 || status === 413 || status === 422) && pattern.test(facts)
}

function statusMessage(status: number, reported: string): string {
  // Providers repeat parts of the key here.
  if (status === 401 || status === 403) {
    return `The provider refused the API key (${status}). Check the key and its permissions.`
  }
  const hint = status === 404 ? ' Check the model name and the base URL.' : ''
  const what =
    status === 429
      ? 'The provider limits how much you may send, or your credit is used up (429)'
      : `The provider responded with ${status}`
  return reported === '' ? `${what}.${hint}` : `${what}: ${reported}${hint}`
}

const shownLength = 300

/** The provider's own message, without the key and without what changes the direction of text around it. */
function toPublicText(text: string, apiKey: string | null): string {
  const withoutKey = apiKey ? text.replaceAll(apiKey, '…') : text
  const plain = withoutKey.replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_Control}\s]+/gu, ' ').trim()
  if (plain.length > shownLength) return `${plain.slice(0, shownLength)}…`
  return plain === '' || /[.!?]$/.test(plain) ? plain : `${plain}.`
}

function toRetryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (ms >= 0) return ms
  const text = headers['retry-after']
  if (text === undefined) return undefined
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(at - Date.now(), 0)
}
