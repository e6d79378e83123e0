import { limits } from '@assay/contract/limits.ts'
import type { Trace } from '../../domain/span.ts'
import type { CallReadOptions } from '../../http/call.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import type { MonthlyRuns } from './run-volumes.ts'

const hour = 3_600_000_000_000n
const month = 30n * 24n * hour

/**
 * The live traces of the last 30 days with the service and the name that all of these have. Undefined if they have
 * neither in common: then nothing shows which traces are of the same agent.
 */
export async function countRecentRuns(
  traces: readonly Trace[],
  now: Date,
  { telemetry, options }: CountPorts,
): Promise<MonthlyRuns | undefined> {
  const service = common(traces.map((one) => one.service))
  const name = common(traces.map((one) => one.rootName))
  const projectId = traces[0]?.projectId
  if (projectId === undefined || (service ?? name) === undefined) return undefined
  const to = ((BigInt(now.getTime()) * 1_000_000n) / hour + 1n) * hour
  const from = to - month
  const { buckets, isComplete, coverageStart } = await telemetry.readStats(
    projectId,
    {
      ...{ from, to, bucketNanos: 24n * hour, scanLimit: limits.statsTraces.value },
      filters: { mode: 'live', ...(service && { service }), ...(name && { name }) },
    },
    options,
  )
  const counted = buckets.reduce((sum, { aggregates }) => sum + aggregates.count, 0)
  // Of a busy project, the newest traces stand for the others.
  const isWhole = isComplete || coverageStart <= from
  const share = isWhole ? 1 : Number(to - coverageStart) / Number(to - from)
  const of = [
    ...(name === undefined ? [] : [`the name ${name.slice(0, shownLength)}`]),
    ...(service === undefined ? [] : [`the service ${service.slice(0, shownLength)}`]),
  ].join(' and ')
  return { runs: Math.round(counted / Math.max(share, leastShare)), isExact: isWhole, of }
}

export interface CountPorts {
  readonly telemetry: Pick<TelemetryStore, 'readStats'>
  readonly options: Pick<CallReadOptions, 'signal' | 'requester'>
}

const shownLength = 100
const leastShare = 1e-4

function common(values: readonly (string | null)[]): string | undefined {
  const [first] = values
  return first && values.every((one) => one === first) ? first : undefined
}
