import { limits } from '@assay/contract/limits.ts'
import type { AgentExtraction } from '@assay/contract/trace-runs.ts'
import type { Trace } from '../../domain/span.ts'
import type { ViewedTrace } from '../../domain/trace-view/build-trace-view.ts'
import type { CallReadOptions } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Deadline, DeadlinePassed, openDeadline } from '../../platform/deadline.ts'
import { Failure } from '../../platform/failure.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'
import { combineRuns, type ReadRun } from './combine-runs.ts'
import { countRecentRuns } from './count-recent-runs.ts'
import { outOfTime, type RunReader, type Unread } from './run-reader.ts'

/*
 * Extracts an agent from recorded runs: one trace at a time, so that few bytes are in memory, within a limit of bytes and
 * time.
 */

export interface ExtractAgentPorts {
  readonly telemetry: TelemetryStore
  readonly runReader: RunReader
  readonly clock: Clock
}

type Options = Pick<CallReadOptions, 'signal' | 'requester'>

export async function extractAgent(
  projectId: string,
  traceIds: readonly string[],
  { signal, requester }: Options,
  ports: ExtractAgentPorts,
): Promise<AgentExtraction> {
  const traces = await findAll(projectId, [...new Set(traceIds)], { signal, requester }, ports)
  const time = openDeadline(signal, Date.now() + limits.extractionSeconds.value * 1000)
  const [owner] = requester
  try {
    return await ports.runReader.inTurn({ owner, signal: time.signal }, async () => {
      const runs = await readRuns(traces, requester, time, ports)
      return combineRuns(runs, await countInTime(traces, requester, time, ports))
    })
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) throw error
    return combineRuns(traces.map(unread))
  } finally {
    time.end()
  }
}

/** In the order of the ids. */
async function findAll(
  projectId: string,
  traceIds: readonly string[],
  options: Options,
  { telemetry }: ExtractAgentPorts,
): Promise<Trace[]> {
  const found = await telemetry.findTraces(projectId, traceIds, options)
  const byId = new Map(found.map((trace) => [trace.traceId, trace]))
  return traceIds.map((traceId) => {
    const trace = byId.get(traceId)
    if (trace === undefined) {
      const details = { field: 'trace_ids', trace_id: traceId }
      throw new Failure('NOT_FOUND', `There is no trace ${traceId}.`, { details })
    }
    return trace
  })
}

/** Undefined also when the time is up: the runs are read then. */
async function countInTime(
  traces: readonly Trace[],
  requester: Options['requester'],
  { signal }: Deadline,
  { telemetry, clock }: ExtractAgentPorts,
) {
  try {
    return await countRecentRuns(traces, clock.now(), {
      ...{ telemetry, options: { requester, signal } },
    })
  } catch (error) {
    if (error instanceof DeadlinePassed) return undefined
    throw error
  }
}

const mib = 1024 * 1024
const outOfBytes: Unread = {
  unread: `those before it have ${limits.extractedBytes.value / mib} MiB. Select fewer traces.`,
}

function unread(trace: Trace): ReadRun {
  return { trace, facts: outOfTime, isWhole: false }
}

async function readRuns(
  traces: readonly Trace[],
  requester: Options['requester'],
  time: Deadline,
  ports: ExtractAgentPorts,
): Promise<ReadRun[]> {
  const runs: ReadRun[] = []
  let left: number = limits.extractedBytes.value
  for (const trace of traces) {
    if (left <= 0) {
      runs.push({ trace, facts: outOfBytes, isWhole: false })
      continue
    }
    const bytesMax = Math.min(limits.extractedRunBytes.value, left)
    const { run, bytes } = await readOne(trace, bytesMax, requester, time, ports)
    runs.push(run)
    left -= bytes
  }
  return runs
}

async function readOne(
  trace: Trace,
  bytesMax: number,
  requester: Options['requester'],
  time: Deadline,
  { telemetry, runReader }: ExtractAgentPorts,
): Promise<{ readonly run: ReadRun; readonly bytes: number }> {
  try {
    const read = await readPages(telemetry, trace, bytesMax, { requester, signal: time.signal })
    const { pages, bytes, isWhole } = read
    const facts = await runReader.read(requester[0], time, toViewed(trace), pages)
    return { run: { trace, facts, isWhole }, bytes }
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) throw error
    return { run: unread(trace), bytes: 0 }
  }
}

/** At least one page: a first span may be larger than all that is read of others. */
async function readPages(
  telemetry: TelemetryStore,
  { projectId, traceId }: Trace,
  bytesMax: number,
  options: Options,
) {
  const pages: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  let after: Position | undefined
  do {
    const query = { limit: limits.spansPage.value, bodies: true, ...(after && { after }) }
    const page = await telemetry.readSpansJson(projectId, traceId, query, options)
    // Removed in the meantime.
    if (page === undefined) break
    pages.push(page.json)
    bytes += page.json.byteLength
    after = page.next
  } while (after !== undefined && bytes < bytesMax)
  return { pages, bytes, isWhole: after === undefined }
}

function toViewed(trace: Trace): ViewedTrace {
  return {
    ...{ trace_id: trace.traceId, status: trace.status, tags: [...trace.tags] },
    ...{ duration_ms: trace.durationMs, cost_usd: trace.costUsd },
    ...{ tokens_in: trace.tokensIn, tokens_out: trace.tokensOut },
  }
}
