import { limits } from '@assay/contract/limits.ts'
import {
  cancelRepricing,
  listRepricings,
  type Repricing,
  readRepricing,
  reprice,
} from '@assay/contract/repricing.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import { cancelJob, getJob } from '../../accounts/cancel-job.ts'
import type { Bind, Call } from '../../http/call.ts'
import { newJobRow } from '../../jobs/job-row.ts'
import type { JobRunner } from '../../jobs/runner.ts'
import { pricerFor } from '../../models/pricer.ts'
import type { ProjectPrices } from '../../models/project-prices.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { JobRow } from '../../storage/accounts/tables.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { type RepricingInput, rangeOf, repricingKind } from './repricing-job.ts'
import {
  pricePage,
  type RepricingProgress,
  startRepricingProgress,
  toApiRepricingProgress,
} from './repricing-progress.ts'

interface RepricingPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  readonly prices: ProjectPrices
  readonly runner: Pick<JobRunner, 'wake' | 'abort'>
  readonly clock: Clock
}

export function registerRepricing(ports: RepricingPorts): void {
  const { bind, accounts, runner, clock } = ports

  bind(reprice, async (call) => {
    const { caller, body, signal } = call
    if (body.preview) return await preview(caller.projectId, body, ports, signal)
    const row = await start(call, ports)
    runner.wake()
    return toApiRepricing(row)
  })

  bind(listRepricings, async ({ caller: { projectId } }) => {
    const query = { kind: repricingKind, limit: limits.listedRepricings.value }
    const rows = await accounts.jobs.ofProject(projectId, query)
    return rows.map(toApiRepricing)
  })

  bind(readRepricing, async ({ caller: { projectId }, params: { jobId } }) =>
    toApiRepricing(await getRepricing(projectId, jobId, accounts)),
  )

  bind(cancelRepricing, async ({ caller, client, params: { jobId } }) => {
    await getRepricing(caller.projectId, jobId, accounts)
    const row = await cancelJob(caller, jobId, client, clock.now().toISOString(), accounts)
    runner.abort(jobId)
    return toApiRepricing(row)
  })
}

async function getRepricing(projectId: string, jobId: string, accounts: Accounts): Promise<JobRow> {
  const row = await getJob(projectId, jobId, accounts)
  if (row.kind !== repricingKind) throw new Failure('NOT_FOUND', 'Job not found.')
  return row
}

async function start(
  { caller, client, body: { from, to } }: Call<typeof reprice>,
  { accounts, telemetry, clock }: RepricingPorts,
): Promise<JobRow> {
  const { projectId, organizationId, user } = caller
  const input: RepricingInput = { from, to }
  const progress = await startRepricingProgress(projectId, rangeOf(input), telemetry)
  const now = clock.now().toISOString()
  const row = newJobRow(
    {
      kind: repricingKind,
      organizationId,
      projectId,
      createdBy: user.id,
      uniqueKey: `${repricingKind} ${projectId}`,
      input,
      progress,
    },
    now,
  )
  await accounts.transaction(async (stores) => {
    if (!(await stores.jobs.insert(row))) {
      throw new Failure('CONFLICT', 'This project is already being re-priced.')
    }
    await recordEvent(
      { action: 'prices.repriced', organizationId, targetId: projectId, details: input },
      userActor(user, client),
      now,
      stores,
    )
  })
  return row
}

const spansPerPage = 2000

/** Previews the changes, up to the limit of spans. Ends early when the client has disconnected. */
async function preview(
  projectId: string,
  { from, to }: Pick<Repricing, 'from' | 'to'>,
  { telemetry, prices, clock }: RepricingPorts,
  signal: AbortSignal,
): Promise<Repricing> {
  const range = rangeOf({ from, to })
  const progress = await startRepricingProgress(projectId, range, telemetry)
  const pricer = pricerFor(await prices.rulesOf(projectId))
  let after: Position | undefined
  let isComplete = false
  while (progress.examined < limits.repricePreviewSpans.value && !signal.aborted) {
    const room = limits.repricePreviewSpans.value - progress.examined
    const limit = Math.min(room, spansPerPage)
    const query = { range, limit, ...(after && { after }) }
    const page = await telemetry.listPriceable(projectId, query, { signal })
    pricePage(page, pricer, progress)
    after = page.next
    isComplete = after === undefined
    if (isComplete) break
  }
  const now = clock.now().toISOString()
  return {
    ...{ id: null, state: 'preview', from, to },
    ...toApiRepricingProgress(progress),
    ...{ is_complete: isComplete, created_at: now, finished_at: now, problem: null },
  }
}

function toApiRepricing(row: JobRow): Repricing {
  const { from, to } = JSON.parse(row.input) as RepricingInput
  return {
    id: row.id,
    state: row.state === 'queued' ? 'running' : row.state,
    from,
    to,
    ...toApiRepricingProgress(JSON.parse(row.progress) as RepricingProgress),
    is_complete: row.state === 'completed',
    created_at: row.created_at,
    finished_at: row.finished_at,
    problem: row.problem,
  }
}
