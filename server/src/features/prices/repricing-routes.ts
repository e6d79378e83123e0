import { limits } from '@assay/contract/limits.ts'
import {
  cancelRepricing,
  listRepricings,
  type Repricing,
  readRepricing,
  reprice,
} from '@assay/contract/repricing.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { Bind, Call } from '../../http/call.ts'
import { pricerFor } from '../../models/pricer.ts'
import type { ProjectPrices } from '../../models/project-prices.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { RepricingRow } from '../../storage/accounts/tables.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { type Repricer, rangeOf } from './repricer.ts'
import {
  emptyRepricingStats,
  pricePage,
  type RepricingStats,
  toApiRepricingStats,
} from './repricing-stats.ts'

interface RepricingPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  readonly prices: ProjectPrices
  readonly repricer: Repricer
  readonly clock: Clock
}

const notFound = () => new Failure('NOT_FOUND', 'There is no such pricing anew in this project.')

export function registerRepricing(ports: RepricingPorts): void {
  const { bind, accounts, repricer, clock } = ports

  bind(reprice, async (call) => {
    const { caller, body, signal } = call
    if (body.preview) return await preview(caller.projectId, body, ports, signal)
    const row = await start(call, ports)
    repricer.wake()
    return toApiRepricing(row)
  })

  bind(listRepricings, async ({ caller: { projectId } }) => {
    const rows = await accounts.repricings.ofProject(projectId, limits.listedRepricings.value)
    return rows.map(toApiRepricing)
  })

  bind(readRepricing, async ({ caller: { projectId }, params: { jobId } }) => {
    const row = await accounts.repricings.find(projectId, jobId)
    if (row === undefined) throw notFound()
    return toApiRepricing(row)
  })

  bind(cancelRepricing, async ({ caller, client, params: { jobId } }) => {
    const { projectId, organizationId } = caller
    const now = clock.now().toISOString()
    const row = await accounts.transaction(async (stores) => {
      const cancelled = await stores.repricings.cancel(projectId, jobId, now)
      if (cancelled === undefined) return undefined
      const event = { action: 'prices.repricing_cancelled', organizationId, details: {} } as const
      await recordEvent(
        { ...event, targetId: projectId },
        userActor(caller.user, client),
        now,
        stores,
      )
      return cancelled
    })
    if (row !== undefined) return toApiRepricing(row)
    if ((await accounts.repricings.find(projectId, jobId)) === undefined) throw notFound()
    throw new Failure('CONFLICT', 'It has ended already.')
  })
}

async function start(
  { caller, client, body }: Call<typeof reprice>,
  { accounts, telemetry, clock }: RepricingPorts,
): Promise<RepricingRow> {
  const { projectId, organizationId } = caller
  const now = clock.now().toISOString()
  const row: RepricingRow = {
    id: newId(),
    project_id: projectId,
    state: 'running',
    range_from: body.from,
    range_to: body.to,
    position: null,
    trace_count: await telemetry.countTraces(projectId, rangeOf(body.from, body.to)),
    figures: JSON.stringify(emptyRepricingStats()),
    problem: null,
    worker: '',
    held_until: now,
    created_by: caller.user.id,
    created_at: now,
    finished_at: null,
  }
  await accounts.transaction(async (stores) => {
    if (!(await stores.repricings.insert(row))) {
      throw new Failure('CONFLICT', 'This project is being priced anew already.')
    }
    const details = { from: body.from, to: body.to }
    const event = { action: 'prices.repriced', organizationId, details } as const
    await recordEvent(
      { ...event, targetId: projectId },
      userActor(caller.user, client),
      now,
      stores,
    )
  })
  return row
}

const spansPerPage = 2000

/** What it would come to, as far as it may be looked at in one answer. Ends early when nobody waits any more. */
async function preview(
  projectId: string,
  { from, to }: Pick<Repricing, 'from' | 'to'>,
  { telemetry, prices, clock }: RepricingPorts,
  signal: AbortSignal,
): Promise<Repricing> {
  const range = rangeOf(from, to)
  const figures = emptyRepricingStats()
  const pricer = pricerFor(await prices.rulesOf(projectId))
  let after: Position | undefined
  let isComplete = false
  while (figures.examined < limits.repricePreviewSpans.value && !signal.aborted) {
    const room = limits.repricePreviewSpans.value - figures.examined
    const limit = Math.min(room, spansPerPage)
    const page = await telemetry.listPriceable(projectId, { range, limit, ...(after && { after }) })
    pricePage(page, pricer, figures)
    after = page.next
    isComplete = after === undefined
    if (isComplete) break
  }
  const now = clock.now().toISOString()
  const traceCount = await telemetry.countTraces(projectId, range)
  return {
    ...{ id: null, state: 'preview', from, to, trace_count: traceCount },
    ...toApiRepricingStats(figures),
    ...{ is_complete: isComplete, created_at: now, finished_at: now, problem: null },
  }
}

function toApiRepricing(row: RepricingRow): Repricing {
  return {
    id: row.id,
    state: row.state,
    from: row.range_from,
    to: row.range_to,
    trace_count: row.trace_count,
    ...toApiRepricingStats(JSON.parse(row.figures) as RepricingStats),
    is_complete: row.state === 'completed',
    created_at: row.created_at,
    finished_at: row.finished_at,
    problem: row.problem,
  }
}
