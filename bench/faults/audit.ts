import { callWithMeta } from '@assay/contract/client.ts'
import { readStats } from '@assay/contract/stats.ts'
import { listTraces, readTrace, type Trace } from '@assay/contract/traces.ts'
import type { RunningService, SetUpService } from '../../e2e/running-service.ts'
import { type Ledger, tokensPerSpan } from './ledger.ts'

/*
 * Compares a ledger with what the service returns: each trace by its id, the whole list, and the totals of the
 * dashboard.
 */

export interface Audit {
  readonly traces: number
  readonly spans: number
  /** Acknowledged spans that cannot be read by the id of their trace. */
  readonly lost: number
  /** Acknowledged traces that the list lacks or has twice. */
  readonly listed: number
  /** Traces whose totals differ from their spans, by id or in the list. */
  readonly wrongTotals: number
  /** Batches without an acknowledgement of which only a part is stored. */
  readonly halfBatches: number
  /** Whether the dashboard counts as many traces and tokens as the list. */
  readonly isDashboardRight: boolean
}

const readsAtOnce = 8

export async function audit(
  service: RunningService,
  owner: SetUpService,
  ledger: Ledger,
): Promise<Audit> {
  const list = await listAll(service, owner)
  const counts = { lost: 0, wrongTotals: 0, halfBatches: 0, spans: 0 }
  const listedTwice = list.length - new Set(list.map(({ trace_id }) => trace_id)).size
  const listed = new Map(list.map((trace) => [trace.trace_id, trace]))
  let missing = listedTwice
  const remaining = [...ledger.traces]
  const reader = async () => {
    for (let next = remaining.pop(); next !== undefined; next = remaining.pop()) {
      const [traceId, { acknowledged, abandoned }] = next
      const trace = await readById(service, owner, traceId)
      const found = new Set(trace?.spans.map(({ span_id }) => span_id))
      counts.spans += acknowledged.size
      for (const spanId of acknowledged) if (!found.has(spanId)) counts.lost += 1
      for (const spanIds of abandoned) {
        const stored = spanIds.filter((id) => found.has(id)).length
        if (stored !== 0 && stored !== spanIds.length) counts.halfBatches += 1
      }
      const ofList = listed.get(traceId)
      if (acknowledged.size > 0 && ofList === undefined) missing += 1
      const isRight = [trace, ofList].every((one) => one === undefined || agrees(one, found.size))
      if (!isRight) counts.wrongTotals += 1
    }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, reader))
  const isDashboardRight = await agreesWithDashboard(service, owner, list)
  return { ...counts, traces: ledger.traces.size, listed: missing, isDashboardRight }
}

const agrees = (trace: Trace, spans: number) =>
  trace.span_count === spans && trace.tokens_in === tokensPerSpan * spans

/** The conditions of every row whose writers keep a ledger. */
export function auditConditions(found: Audit): Readonly<Record<string, boolean>> {
  return {
    [`${found.lost} acknowledged spans lost`]: found.lost === 0,
    [`${found.listed} traces missing from the list or twice in it`]: found.listed === 0,
    [`${found.wrongTotals} wrong totals`]: found.wrongTotals === 0,
    [`${found.halfBatches} half batches`]: found.halfBatches === 0,
    'the dashboard differs from the list': found.isDashboardRight,
  }
}

export function describeAudit({ traces, spans, lost, wrongTotals, halfBatches }: Audit): string {
  const number = (value: number) => value.toLocaleString('en-US')
  return `${number(spans)} spans in ${number(traces)} traces acknowledged, ${lost} lost, ${wrongTotals} wrong totals, ${halfBatches} half batches`
}

async function readById(service: RunningService, owner: SetUpService, traceId: string) {
  const args = {
    params: { projectId: owner.project.id, traceId },
    query: { payload: 'none' } as const,
  }
  const response = await callWithMeta(service.api, readTrace, args, {
    headers: owner.session,
  }).catch((error: unknown) => {
    if (error instanceof Error && 'status' in error && error.status === 404) return undefined
    throw error
  })
  if (typeof response?.meta.cursor === 'string') throw new Error(`${traceId} has several pages`)
  return response?.data
}

async function listAll(service: RunningService, owner: SetUpService): Promise<readonly Trace[]> {
  const all: Trace[] = []
  const params = { projectId: owner.project.id }
  for (let cursor: string | undefined; ; ) {
    const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) }
    const options = { headers: owner.session }
    const page = await callWithMeta(service.api, listTraces, { params, query }, options)
    all.push(...page.data)
    if (page.meta.cursor === null) return all
    cursor = page.meta.cursor
  }
}

async function agreesWithDashboard(
  service: RunningService,
  owner: SetUpService,
  list: readonly Trace[],
): Promise<boolean> {
  const args = { params: { projectId: owner.project.id }, query: { bucket: 'hour' } as const }
  const { data } = await callWithMeta(service.api, readStats, args, { headers: owner.session })
  const sum = (values: readonly (number | null)[]) =>
    values.reduce<number>((total, value) => total + (value ?? 0), 0)
  return (
    sum(data.buckets.map(({ trace_count }) => trace_count)) === list.length &&
    sum(data.buckets.map(({ tokens_in }) => tokens_in)) ===
      sum(list.map(({ tokens_in }) => tokens_in))
  )
}
