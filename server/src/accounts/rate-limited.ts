import { Failure } from '../platform/failure.ts'

/** The refusal of a caller who can try again after `waitMs`. */
export function tooMany(what: 'attempts' | 'requests', waitMs: number): Failure {
  const seconds = Math.ceil(waitMs / 1000)
  return new Failure(
    'RATE_LIMITED',
    `Too many ${what}. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
    { retryAfterSeconds: seconds },
  )
}
