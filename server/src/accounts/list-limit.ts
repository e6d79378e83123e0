import type { Limit } from '@assay/contract/limits.ts'
import { Failure } from '../platform/failure.ts'

/**
 * Throws CONFLICT when a list of `count` items accepts no more. Call it in a transaction that has locked the owner
 * of the list: otherwise concurrent requests exceed the limit. The message is `A trace can have at most 1,000
 * comments.` and the advice.
 */
export function checkListLimit(
  count: number,
  { value, unit }: Limit,
  owner: string,
  advice: string,
): void {
  if (count < value) return
  const most = `${value.toLocaleString('en-US')} ${unit}`
  throw new Failure('CONFLICT', `${owner} can have at most ${most}. ${advice}`)
}
