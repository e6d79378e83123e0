import { limits } from '@assay/contract/limits.ts'
import { previewRepricing, type Repricing, reprice } from '@assay/contract/repricing.ts'
import { recordEvent, userActor } from '../../accounts/audit.ts'
import type { Bind, Call, CallReadOptions } from '../../http/call.ts'
import { newJobRow, parseInput } from '../../jobs/job-row.ts'
import type { JobRunner } from '../../jobs/runner.ts'
import { pricerFor } from '../../models/pricer.ts'
import type { ProjectPrices } from '../../models/project-prices.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { JobRow } from '../../storage/accounts/service-tables.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { type RepricingInput, repricingKind, toTimeRange } from './repricing-job.ts'
import {
  countSpans,
  priceSpans,
  type RepricingProgress,
  startRepricingProgress,
  toApiRepricingProgress,
} from './repricing-progress.ts'

interface RepricingPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  readonly prices: ProjectPrices
  readonly runner: Pick<JobRunner, 'wake'>
  readonly clock: Clock
}

export function registerRepricing(ports: RepricingPorts): void {
  const { bind, runner } = ports

  bind(previewRepricing, ({ caller, body, readOptions }) =>
    preview(caller.projectId, body, ports, readOptions),
  )

  bind(reprice, async (call) => {
    const id = await start(call, ports)
    runner.wake()
    return { id }
  })
}

/** What a re-pricing job reports: its time range, and the changes so far. */
export function toApiRepricing(row: JobRow): Repricing {
  return {
    ...parseInput(repricingKind, row),
    ...toApiRepricingProgress(JSON.parse(row.progress) as RepricingProgress),
    is_complete: row.state === 'completed',
  }
}

async function start(
  { caller, client, body: { from, to }, readOptions }: Call<typeof reprice>,
  { accounts, telemetry, clock }: RepricingPorts,
): Promise<string> {
  const { projectId, organizationId, user } = caller
  const input: RepricingInput = { from, to }
  const range = toTimeRange(input)
  const progress = await startRepricingProgress(projectId, range, telemetry, readOptions)
  const now = clock.now().toISOString()
  const row = newJobRow(
    repricingKind,
    {
      organizationId,
      projectId,
      createdBy: user.id,
      uniqueKey: `${repricingKind.kind} ${projectId}`,
      input,
      progress,
    },
    now,
  )
  await accounts.transaction(async (stores) => {
    if (!(await stores.jobs.insert(row))) {
      throw new Failure('CONFLICT', 'Costs of this project are already being recalculated.')
    }
    await recordEvent(
      { action: 'prices.repriced', organizationId, targetId: projectId, details: input },
      userActor(user, client),
      now,
      stores,
    )
  })
  return row.id
}

const spansPerPage = 2000

/** Previews the changes, up to the limit of spans. Ends early when the client has disconnected. */
async function preview(
  projectId: string,
  { from, to }: RepricingInput,
  { telemetry, prices }: Pick<RepricingPorts, 'telemetry' | 'prices'>,
  readOptions: CallReadOptions,
): Promise<Repricing> {
  const range = toTimeRange({ from, to })
  const progress = await startRepricingProgress(projectId, range, telemetry, readOptions)
  const pricer = pricerFor(await prices.readRules(projectId))
  let after: Position | undefined
  let isComplete = false
  while (progress.examined < limits.repricePreviewSpans.value && !readOptions.signal.aborted) {
    const room = limits.repricePreviewSpans.value - progress.examined
    const limit = Math.min(room, spansPerPage)
    const query = { range, limit, ...(after && { after }) }
    const page = await telemetry.listPriceable(projectId, query, readOptions)
    progress.done += page.traceCount
    countSpans(await priceSpans(page, pricer), progress)
    after = page.next
    isComplete = after === undefined
    if (isComplete) break
  }
  return { from, to, ...toApiRepricingProgress(progress), is_complete: isComplete }
}
