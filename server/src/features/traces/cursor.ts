import { type Instant, lastInstant } from '../../domain/instant.ts'
import { Failure } from '../../platform/failure.ts'

/*
 * Where a list goes on, as a string that means nothing to anybody else.
 */

export interface Position {
  readonly startedAt: Instant
  readonly id: string
}

export function cursorOf({ startedAt, id }: Position): string {
  return Buffer.from(`${startedAt} ${id}`).toString('base64url')
}

/** Throws VALIDATION_ERROR for anything that `cursorOf` did not make. */
export function positionOf(cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const [, digits = '', id = ''] = /^(\d{1,19}) (.{1,512})$/su.exec(text) ?? []
  const position = { startedAt: BigInt(digits === '' ? 0 : digits), id }
  if (cursorOf(position) === cursor && position.startedAt <= lastInstant) return position
  throw new Failure('VALIDATION_ERROR', 'cursor: must be meta.cursor of an earlier page')
}
