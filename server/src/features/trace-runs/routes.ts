import { limits } from '@assay/contract/limits.ts'
import {
  extractAgent as extractAgentEndpoint,
  listTraceRuns,
  type TraceRun,
} from '@assay/contract/trace-runs.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { Trace } from '../../domain/span.ts'
import type { Bind } from '../../http/call.ts'
import type { Position } from '../../storage/telemetry/port/position.ts'
import { type ExtractAgentPorts, extractAgent } from './extract-agent.ts'

export interface TraceRunsPorts extends ExtractAgentPorts {
  readonly bind: Bind
}

export function registerTraceRuns(ports: TraceRunsPorts): void {
  const { bind, telemetry } = ports

  bind(listTraceRuns, async ({ caller: { projectId }, readOptions }) => {
    const traces: Trace[] = []
    let after: Position | undefined
    for (let scans = 0; scans < scansMax; scans += 1) {
      const query = {
        limit: limits.listedTraceRuns.value - traces.length,
        filters: { source: 'otlp', mode: 'live' } as const,
        scanLimit: limits.tracesScanned.value,
        ...(after && { after }),
      }
      const page = await telemetry.listTraces(projectId, query, readOptions)
      traces.push(...page.traces)
      after = page.next
      if (after === undefined || traces.length === limits.listedTraceRuns.value) break
    }
    const { length } = traces
    return {
      data: traces.map(toTraceRun),
      meta: { page: 1, pageSize: length, total: length, cursor: null },
    }
  })

  bind(extractAgentEndpoint, async ({ caller: { projectId }, body, readOptions }) =>
    extractAgent(projectId, body.trace_ids, readOptions, ports),
  )
}

const scansMax = limits.scannedTraceRuns.value / limits.tracesScanned.value

function toTraceRun(trace: Trace): TraceRun {
  return {
    ...{ traceId: trace.traceId, rootName: trace.rootName, status: trace.status },
    startedAt: formatInstant(trace.startedAt),
    ...{ durationMs: trace.durationMs, spanCount: trace.spanCount },
    ...{ llmCallCount: trace.llmCallCount, toolCallCount: trace.toolCallCount },
    ...{ tokensIn: trace.tokensIn, tokensOut: trace.tokensOut, costUsd: trace.costUsd },
    ...{ environment: trace.environment, service: trace.service, sdk: trace.sdk },
  }
}
