import { ClickHouseError } from '@clickhouse/client'
import { Unavailable } from '../../../platform/failure.ts'
import { ReadTimeout } from '../port/read-options.ts'

/*
 * Errors of ClickHouse and of the connection to it, as errors of the port.
 */

const tooLarge =
  'The query reads more than ClickHouse may return. Narrow the time range or the filters.'

/** By the number of the error: https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp */
const busyCodes: Readonly<Record<string, string>> = {
  158: tooLarge,
  201: 'The quota of the ClickHouse user is used up.',
  202: 'ClickHouse runs too many statements at once.',
  241: 'ClickHouse has too little memory for this statement.',
  242: 'The table is read-only: ClickHouse has lost its Keeper.',
  243: 'ClickHouse has no space left.',
  252: 'ClickHouse has too many parts to merge.',
  285: 'ClickHouse has too few live replicas.',
  307: tooLarge,
  394: 'ClickHouse has canceled the statement.',
  396: tooLarge,
  999: 'ClickHouse has lost its Keeper.',
}
const timeoutCodes = new Set(['159', '160'])

/** Retried by clients after so many seconds. */
const retryAfterSeconds = 2

/** ClickHouse does not respond, or has stopped responding in the middle of a statement. */
export function unreachable(options?: ErrorOptions): Unavailable {
  return new Unavailable('ClickHouse cannot be reached.', retryAfterSeconds, options)
}

/** Whether the error is one of the connection, after which the server may be gone. */
export function isConnectionError(error: unknown): boolean {
  return error instanceof Error && !(error instanceof ClickHouseError)
}

export function toPortError(error: unknown): unknown {
  if (!(error instanceof ClickHouseError)) {
    if (!(error instanceof Error) || error instanceof Unavailable) return error
    return unreachable({ cause: error })
  }
  if (timeoutCodes.has(error.code)) return new ReadTimeout()
  const busy = busyCodes[error.code]
  return busy === undefined ? error : new Unavailable(busy, retryAfterSeconds, { cause: error })
}
