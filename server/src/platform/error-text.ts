import { Unavailable } from './failure.ts'

/*
 * What a start or a command prints when it fails.
 */

/**
 * The message and, when a database cannot be reached, the reason and the setting to check, which responses of the API leave
 * out.
 */
export function toErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof Unavailable)) return error.message
  const reason = findReason(error.cause)
  const text =
    reason === undefined ? error.message : `${error.message.replace(/\.$/, '')}: ${reason}`
  return error.setting === undefined ? text : `${text.replace(/\.$/, '')}. Check ${error.setting}.`
}

/** One line. */
function findReason(cause: unknown): string | undefined {
  // Of a host with several addresses.
  if (cause instanceof AggregateError) return findReason(cause.errors[0])
  if (!(cause instanceof Error)) return undefined
  // Otherwise a line of numbers and places in the source of OpenSSL.
  const [, tlsReason] = /SSL routines:[^:]*:([^:]+):/.exec(cause.message) ?? []
  if (tlsReason !== undefined) return `TLS failed (${tlsReason})`
  return cause.message.split('\n', 1)[0]?.trim() || undefined
}
