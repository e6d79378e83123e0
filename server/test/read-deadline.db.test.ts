import { buildPath } from '@assay/contract/client.ts'
import { listComments } from '@assay/contract/comments.ts'
import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { listEvaluationRuns } from '@assay/contract/evaluations.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { listLogs } from '@assay/contract/logs.ts'
import { listMetrics, readMetric } from '@assay/contract/metrics.ts'
import { listObservedModels } from '@assay/contract/prices.ts'
import { listScoreDisagreements, readScoreAgreement } from '@assay/contract/score-agreement.ts'
import { listScoredTraces, listScores, readScoreStats } from '@assay/contract/scores.ts'
import {
  listTraceSessions,
  listTraceUsers,
  readHistogram,
  readStats,
} from '@assay/contract/stats.ts'
import { readStorage } from '@assay/contract/storage.ts'
import { removeTrace } from '@assay/contract/trace-management.ts'
import { extractAgent, listTraceRuns } from '@assay/contract/trace-runs.ts'
import { listTraces, readSpan, readTrace } from '@assay/contract/traces.ts'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { addEndlessMetrics } from '../src/storage/telemetry/sqlite/endless-metrics.ts'
import type { Tenant } from './people.ts'
import { runningService } from './service-suite.ts'
import { type Credentials, startService } from './started-app.ts'

/*
 * Reads that take longer than their deadline or their client waits, over HTTP.
 */

const service = runningService({ readDeadlineMs: 0 })
let tenant: Tenant
let owner: Credentials

beforeAll(async () => {
  tenant = await service.addTenant()
  owner = await service.signedIn(tenant.members.Owner)
})

test.each<[string, AnyEndpoint]>([
  ['traces', listTraces],
  ['a trace', readTrace],
  ['a span', readSpan],
  ['stats', readStats],
  ['a histogram', readHistogram],
  ['sessions', listTraceSessions],
  ['users', listTraceUsers],
  ['metrics', listMetrics],
  ['a metric', readMetric],
  ['log records', listLogs],
  ['storage', readStorage],
  ['observed models', listObservedModels],
  ['comments', listComments],
  ['a trace to remove', removeTrace],
  ['evaluation runs', listEvaluationRuns],
  ['scores', listScores],
  ['traces with a score', listScoredTraces],
  ['score stats', readScoreStats],
  ['the agreement of evaluators', readScoreAgreement],
  ['disagreements', listScoreDisagreements],
  ['recorded runs', listTraceRuns],
  ['runs to extract an agent from', extractAgent],
])('a read of %s past its deadline is 503 and suggests what to do', async (_name, declared) => {
  const ids = { traceId: 't', spanId: 's', scoreId: 's' }
  const params = { projectId: tenant.projectId, ...ids, name: 'm' }
  const evaluator_id = tenant.projectId
  const query =
    declared === listScoredTraces
      ? { name: 'Polite' }
      : declared === listScoreDisagreements
        ? { evaluator_id }
        : {}
  const body = declared === extractAgent ? { trace_ids: ['t'] } : undefined
  const args = { params, query, ...(body && { body }) }
  const { status, error, headers } = await service.call(declared, args, owner)
  expect({ status, error }).toEqual({
    status: 503,
    error: {
      code: 'INTERNAL_ERROR',
      message: 'The query took too long. Narrow the time range or the filters, then try again.',
      details: { timed_out: true },
    },
  })
  expect(headers.get('retry-after')).toBe('5')
})

describe('a query that would never end', () => {
  async function endlessQuery(readDeadlineMs: number) {
    const running = await startService({ readDeadlineMs })
    onTestFinished(() => running.stop())
    const { projectId, tracingKey, members } = await running.addTenant()
    const spans = [{ span_id: 'a', name: 'n', started_at: '2026-05-01T08:00:00Z' }]
    const key = { 'x-tracing-key': tracingKey }
    await running.call(ingestTrace, { body: { trace_id: 't', spans } }, key)
    const headers = await running.signedIn(members.Owner)
    const metrics = addEndlessMetrics(running.dataDir, projectId)
    const send = (signal?: AbortSignal) =>
      fetch(running.api + buildPath(listMetrics, { projectId }, {}), {
        headers,
        ...(signal === undefined ? {} : { signal }),
      })
    const isRunning = (expected: boolean) =>
      vi.waitFor(() => expect(metrics.isRead()).toBe(expected), 10_000)
    return { send, isRunning }
  }

  test('stops when its client disconnects', async () => {
    const { send, isRunning } = await endlessQuery(60_000)
    const client = new AbortController()
    const response = send(client.signal)
    await isRunning(true)
    client.abort()
    await expect(response).rejects.toThrow('abort')
    await isRunning(false)
  })

  test('stops when its deadline passes', async () => {
    const { send, isRunning } = await endlessQuery(2000)
    expect((await send()).status).toBe(503)
    await isRunning(false)
  })
})
