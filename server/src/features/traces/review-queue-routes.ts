import { limits } from '@assay/contract/limits.ts'
import {
  createReviewQueue,
  listReviewQueues,
  openReviewItem,
  removeReviewQueue,
  reviewTrace,
} from '@assay/contract/review-queues.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import { checkListLimit } from '../../accounts/list-limit.ts'
import type { Bind, Call } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { newOrderedId } from '../../platform/ids.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { ReviewQueueRow } from '../../storage/accounts/review-tables.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { openNext, openPosition } from './open-review-item.ts'
import { findEvaluatorName, getEvaluatorName, recordPersonScore } from './person-score.ts'
import { listReviewedTraces } from './reviewed-traces.ts'
import { toApiReviewQueues } from './serialize-review-queue.ts'

export interface ReviewQueuePorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  readonly clock: Clock
}

export function registerReviewQueues(ports: ReviewQueuePorts): void {
  const { bind, accounts, clock } = ports
  bind(listReviewQueues, async ({ caller: { projectId } }) =>
    toApiReviewQueues(projectId, await accounts.reviewQueues.list(projectId), accounts),
  )

  bind(createReviewQueue, (call) => create(call, ports))

  bind(removeReviewQueue, async ({ caller, client, params: { queueId } }) => {
    const { organizationId, projectId, user } = caller
    await accounts.transaction(async (stores) => {
      const removed = await stores.reviewQueues.remove(projectId, queueId)
      if (removed === undefined) throw queueNotFound()
      await recordEvent(
        {
          ...{ action: 'review_queue.removed', organizationId, targetId: queueId },
          details: { project_id: projectId, name: removed.name },
        },
        userActor(user, client),
        clock.now().toISOString(),
        stores,
      )
    })
    return { status: 'removed' as const }
  })

  bind(openReviewItem, async ({ caller, params: { queueId }, body, readOptions }) => {
    const { projectId, user } = caller
    const queue = await getQueue(projectId, queueId, ports)
    const place = { projectId, queueId, userId: user.id, readOptions }
    const item =
      body.position === undefined
        ? await openNext(body.after, place, ports)
        : await openPosition(body.position, place, ports)
    const [shown] = await toApiReviewQueues(projectId, [queue], accounts)
    return { queue: shown!, item: item ?? null }
  })

  bind(reviewTrace, async ({ caller, params: { queueId }, body }) => {
    const { organizationId, projectId, user } = caller
    const { position, score, passed, reasoning } = body
    const queue = await getQueue(projectId, queueId, ports)
    const item = await accounts.reviewQueues.findItem(projectId, queueId, position)
    if (item === undefined) throw new Failure('NOT_FOUND', 'The queue has no such trace.')
    const { evaluator_id: evaluatorId, score_name } = queue
    const current =
      evaluatorId === null
        ? undefined
        : await findEvaluatorName(organizationId, evaluatorId, accounts)
    const rating = { traceId: item.trace_id, spanId: null, evaluatorId, score, passed, reasoning }
    const given = await recordPersonScore({ ...rating, name: current ?? score_name }, caller, ports)
    const at = clock.now().toISOString()
    await accounts.reviewQueues.setReviewed(projectId, queueId, position, user.id, at)
    return given
  })
}

async function create(call: Call<typeof createReviewQueue>, ports: ReviewQueuePorts) {
  const { caller, client, body, readOptions } = call
  const { accounts, telemetry, clock } = ports
  const { organizationId, projectId, user } = caller
  const { name, instructions, filters, max_traces, evaluator_id: evaluatorId = null } = body
  const score_name =
    body.score_name ?? (await getEvaluatorName(organizationId, evaluatorId!, accounts))
  const traceIds = await listReviewedTraces(telemetry, projectId, filters, max_traces, readOptions)
  if (traceIds.length === 0) {
    throw new Failure('VALIDATION_ERROR', 'filters match no traces. Change the filters.')
  }
  const now = clock.now().toISOString()
  const queue: ReviewQueueRow = {
    ...{ id: newOrderedId(), project_id: projectId, name, instructions, score_name },
    ...{ evaluator_id: evaluatorId, filters: JSON.stringify(filters) },
    ...{ created_by: user.id, created_at: now },
  }
  await accounts.transaction(async (stores) => {
    await stores.organizations.lock(organizationId)
    const { length } = await stores.reviewQueues.list(projectId)
    checkListLimit(length, limits.reviewQueuesPerProject, 'A project', 'Delete one first.')
    await stores.reviewQueues.insert(queue, traceIds)
    await recordEvent(
      {
        ...{ action: 'review_queue.created', organizationId, targetId: queue.id },
        details: { project_id: projectId, name, traces: traceIds.length },
      },
      userActor(user, client),
      now,
      stores,
    )
  })
  const [created] = await toApiReviewQueues(projectId, [queue], accounts)
  return created!
}

async function getQueue(
  projectId: string,
  queueId: string,
  { accounts }: ReviewQueuePorts,
): Promise<ReviewQueueRow> {
  const queue = await accounts.reviewQueues.find(projectId, queueId)
  if (queue === undefined) throw queueNotFound()
  return queue
}

const queueNotFound = () => new Failure('NOT_FOUND', 'Review queue not found.')
