import { ClickHouseError } from '@clickhouse/client'
import { Unavailable } from '../../../platform/failure.ts'
import { ReadTimeout } from '../port/read-options.ts'

/*
 * Errors of ClickHouse and of the connection to it, as errors of the port.
 */

const tooLarge =
  'The query reads more than ClickHouse may return. Narrow the time range or the filters.'
const refusedUser = 'ClickHouse refuses the user name, password or address of the service.'
const tooFewReplicas = 'ClickHouse has too few live replicas.'
const missing = 'The tables in ClickHouse are missing.'
const diskFails = 'The disk of ClickHouse fails.'
const tooManyStatements = 'ClickHouse runs too many statements at once.'
/** The rows may be stored: storing them again changes nothing. */
const unconfirmed = 'ClickHouse could not confirm that the rows are on most replicas.'

/** By the number of the error: https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp */
const busyCodes: Readonly<Record<string, string>> = {
  60: missing,
  74: diskFails,
  75: diskFails,
  81: missing,
  158: tooLarge,
  192: refusedUser,
  193: refusedUser,
  194: refusedUser,
  195: refusedUser,
  201: 'The quota of the ClickHouse user is used up.',
  202: tooManyStatements,
  209: unconfirmed,
  210: unconfirmed,
  225: 'ClickHouse has lost its Keeper.',
  236: 'ClickHouse is stopping.',
  241: 'ClickHouse has too little memory for this statement.',
  242: 'The table is read-only: ClickHouse has lost its Keeper.',
  243: 'ClickHouse has no space left.',
  252: 'ClickHouse has too many parts to merge.',
  254: tooFewReplicas,
  285: tooFewReplicas,
  286: tooFewReplicas,
  289: tooFewReplicas,
  307: tooLarge,
  319: unconfirmed,
  394: 'ClickHouse has canceled the statement.',
  396: tooLarge,
  439: tooManyStatements,
  497: 'The user of ClickHouse lacks a right.',
  516: refusedUser,
  999: 'ClickHouse has lost its Keeper.',
}
/**
 * What rows and parameters cause whenever they are sent: texts that cannot be parsed, and values that do not fit their type.
 */
const valueCodes = new Set([
  ...['6', '25', '26', '27', '38', '41', '53', '69', '70', '72', '117', '128', '130', '131', '190'],
  ...['321', '349', '407', '457', '467'],
])
const timeoutCodes = new Set(['159', '160'])
/** Too little memory, too many bytes, too many rows or bytes in the result. */
const sizeCodes = new Set(['241', '307', '396'])

/** Retried by clients after so many seconds. */
const retryAfterSeconds = 2

const setting = 'ASSAY_CLICKHOUSE_URL'

/** ClickHouse does not respond, or has stopped responding in the middle of a statement. */
export function unreachable(options?: ErrorOptions): Unavailable {
  return new Unavailable('ClickHouse cannot be reached.', retryAfterSeconds, {
    ...options,
    setting,
  })
}

/** Why a statement failed whose response is not one of ClickHouse. The text of that may be a page of HTML: it is left out. */
export class ForeignResponse extends Error {
  constructor(status?: number) {
    super(`something else responds${status === undefined ? '' : `, with HTTP ${status}`}`)
    this.name = 'ForeignResponse'
  }
}

/** Whether a server responded that is not ClickHouse, or a proxy before it. */
export function isForeign(error: unknown): boolean {
  return error instanceof Unavailable && error.cause instanceof ForeignResponse
}

/** Of the client, without a code as the errors of Node have it. */
const clientText =
  /^(?:Timeout error\.|The user aborted a request\.|there was an error in the stream)/
/** Also where the client does not find the code, or takes the text for a row. */
const clickHouseText = /(?:^|")(?:[\w:]+\. )?Code: \d/

/** Why there is no connection. */
export function toReason(error: Error): Error {
  if (clickHouseText.test(error.message)) return error
  // The whole text of a response, or that of the parser of rows.
  const isText =
    error.constructor === Error && !('code' in error) && !clientText.test(error.message)
  return isText || error instanceof SyntaxError ? new ForeignResponse() : error
}

/** Whether the error is one of the connection, after which the server may be gone. */
export function isConnectionError(error: unknown): boolean {
  return error instanceof Error && !(error instanceof ClickHouseError)
}

/** Whether the server knows no such user with this password from this address. */
export function isRefusedUser(error: unknown): boolean {
  return error instanceof ClickHouseError && busyCodes[error.code] === refusedUser
}

/** Whether a statement that asks for fewer rows may succeed. */
export function isTooMuchAtOnce(error: unknown): boolean {
  if (error instanceof ReadTimeout) return true
  if (!(error instanceof Unavailable) || !(error.cause instanceof ClickHouseError)) return false
  return sizeCodes.has(error.cause.code)
}

/** Whether an error of a write, which is not known to pass, was not caused by what is written. */
export function isServerFailure(error: unknown): error is ClickHouseError {
  return error instanceof ClickHouseError && !valueCodes.has(error.code)
}

/** Exporters repeat what fails with this; they drop what fails with any other error. */
export function toWriteError(error: ClickHouseError): Unavailable {
  return new Unavailable('ClickHouse could not complete the write.', retryAfterSeconds, {
    cause: error,
  })
}

export function toPortError(error: unknown): unknown {
  if (!(error instanceof ClickHouseError)) {
    if (!(error instanceof Error) || error instanceof Unavailable) return error
    return unreachable({ cause: toReason(error) })
  }
  if (timeoutCodes.has(error.code)) return new ReadTimeout()
  const busy = busyCodes[error.code]
  if (busy === undefined) return error
  return new Unavailable(busy, retryAfterSeconds, {
    cause: error,
    ...(busy === refusedUser && { setting }),
  })
}
