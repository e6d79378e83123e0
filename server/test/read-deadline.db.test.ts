import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { listLogs } from '@assay/contract/logs.ts'
import { listMetrics, readMetric } from '@assay/contract/metrics.ts'
import { listObservedModels } from '@assay/contract/prices.ts'
import {
  listTraceSessions,
  listTraceUsers,
  readHistogram,
  readStats,
} from '@assay/contract/stats.ts'
import { readStorage } from '@assay/contract/storage.ts'
import { listTraces, readSpan, readTrace } from '@assay/contract/traces.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tenant } from './people.ts'
import { type Credentials, type Service, startService } from './started-app.ts'

/*
 * Reads that take longer than their deadline, over HTTP.
 */

let service: Service
let tenant: Tenant
let owner: Credentials

beforeAll(async () => {
  service = await startService({ readDeadlineMs: 0 })
  tenant = await service.addTenant()
  owner = await service.signedIn(tenant.members.Owner)
})
afterAll(() => service.stop())

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
])('a read of %s past its deadline is 503 and suggests what to do', async (_name, declared) => {
  const params = { projectId: tenant.projectId, traceId: 't', spanId: 's', name: 'm' }
  const { status, error, headers } = await service.call(declared, { params }, owner)
  expect({ status, error }).toEqual({
    status: 503,
    error: {
      code: 'INTERNAL_ERROR',
      message: 'The query took too long. Narrow the time range or the filters, then try again.',
      details: {},
    },
  })
  expect(headers.get('retry-after')).toBe('5')
})
