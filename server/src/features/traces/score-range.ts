import { type Instant, parseInstant } from '../../domain/instant.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'

interface Query {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const defaultRange = 30n * 24n * 3_600_000_000_000n

/** The time range of aggregates of scores. `to` defaults to now, `from` to 30 days earlier. */
export function readScoreRange(
  query: Query,
  clock: Clock,
): { readonly from: Instant; readonly to: Instant } {
  const to = parseInstant(query.to ?? clock.now().toISOString())
  const from = query.from === undefined ? to - defaultRange : parseInstant(query.from)
  if (from >= to) throw new Failure('VALIDATION_ERROR', 'from must be before to')
  return { from, to }
}
