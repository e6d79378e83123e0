import { limits } from '@assay/contract/limits.ts'
import type { ReviewItem } from '@assay/contract/review-queues.ts'
import type { Trace } from '../../domain/span.ts'
import type { CallReadOptions } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { ReviewItemRow } from '../../storage/accounts/review-tables.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { toApiTrace } from './serialize-trace.ts'

/*
 * Opens a trace of a review queue and holds it for its reviewer, so that others get other traces.
 */

interface Place {
  readonly projectId: string
  readonly queueId: string
  readonly userId: string
  readonly readOptions: CallReadOptions
}

interface Ports {
  readonly accounts: Pick<Accounts, 'reviewQueues' | 'users'>
  readonly telemetry: Pick<TelemetryStore, 'findTraces' | 'findTrace'>
  readonly clock: Clock
}

const candidatesPerRead = 100
const holdMs = limits.reviewHoldMinutes.value * 60_000

/** The first open trace after a position that nobody else holds. Undefined if there is none. */
export async function openNext(
  after: number,
  place: Place,
  ports: Ports,
): Promise<ReviewItem | undefined> {
  const { projectId, queueId, userId } = place
  const { reviewQueues } = ports.accounts
  const found = await holdNext(after, place, ports)
  await reviewQueues.release(projectId, queueId, userId, found?.row.position)
  return found && (await toApiItem(found.row, found.trace, place, ports))
}

async function holdNext(after: number, place: Place, ports: Ports): Promise<Found | undefined> {
  const { projectId, queueId, readOptions } = place
  const { reviewQueues } = ports.accounts
  const hold = toHold(place, ports.clock)
  for (let from = after; ; ) {
    const rows = await reviewQueues.listFree(projectId, queueId, from, hold, candidatesPerRead)
    if (rows.length === 0) return undefined
    const ids = rows.map(({ trace_id }) => trace_id)
    const traces = await ports.telemetry.findTraces(projectId, ids, readOptions)
    const byId = new Map(traces.map((trace) => [trace.traceId, trace]))
    const gone = rows.filter(({ trace_id }) => !byId.has(trace_id))
    const positions = gone.map(({ position }) => position)
    await reviewQueues.setRemoved(projectId, queueId, positions)
    for (const row of rows) {
      const trace = byId.get(row.trace_id)
      if (trace === undefined) continue
      // Another reviewer may be faster.
      if (await reviewQueues.hold(projectId, queueId, row.position, hold)) return { row, trace }
    }
    from = rows.at(-1)!.position
  }
}

interface Found {
  readonly row: ReviewItemRow
  readonly trace: Trace
}

/** The trace at a position, whatever its status. */
export async function openPosition(
  position: number,
  place: Place,
  ports: Ports,
): Promise<ReviewItem> {
  const { projectId, queueId, userId, readOptions } = place
  const { reviewQueues } = ports.accounts
  const find = async () => {
    const row = await reviewQueues.findItem(projectId, queueId, position)
    if (row === undefined) throw new Failure('NOT_FOUND', 'The queue has no such trace.')
    return row
  }
  const { trace_id } = await find()
  const trace = await ports.telemetry.findTrace(projectId, trace_id, readOptions)
  if (trace === undefined) await reviewQueues.setRemoved(projectId, queueId, [position])
  else await reviewQueues.hold(projectId, queueId, position, toHold(place, ports.clock))
  await reviewQueues.release(projectId, queueId, userId, position)
  return await toApiItem(await find(), trace, place, ports)
}

function toHold({ userId }: Place, clock: Clock) {
  const now = clock.now()
  const until = new Date(now.getTime() + holdMs).toISOString()
  return { userId, now: now.toISOString(), until }
}

async function toApiItem(
  row: ReviewItemRow,
  trace: Trace | undefined,
  { userId }: Place,
  { accounts, clock }: Ports,
): Promise<ReviewItem> {
  const { position, trace_id, status, reviewed_by, reviewed_at } = row
  const now = clock.now().toISOString()
  const isHeld = row.held_by !== userId && row.held_until !== null && row.held_until > now
  const heldBy = isHeld ? row.held_by : null
  const ids = [reviewed_by, heldBy].filter((id) => id !== null)
  const names = new Map((await accounts.users.listNames(ids)).map(({ id, name }) => [id, name]))
  return {
    ...{ position, trace_id, trace: trace === undefined ? null : toApiTrace(trace), status },
    ...{ reviewed_by, reviewed_by_name: names.get(reviewed_by ?? '') ?? null, reviewed_at },
    held_by_name: names.get(heldBy ?? '') ?? null,
  }
}
