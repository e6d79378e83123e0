import { Failure } from '../platform/failure.ts'

/*
 * Where a list goes on: the key of the last item shown, as a string that means nothing to anybody else.
 */

export function cursorOf(key: string): string {
  return Buffer.from(key).toString('base64url')
}

/** Throws VALIDATION_ERROR for anything that `cursorOf` did not make of a key in that form. */
export function keyOf(cursor: string, form: RegExp): string {
  const key = Buffer.from(cursor, 'base64url').toString('utf8')
  if (form.test(key) && cursorOf(key) === cursor) return key
  throw new Failure('VALIDATION_ERROR', 'cursor: must be meta.cursor of an earlier page')
}
