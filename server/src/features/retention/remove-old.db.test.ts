import { ingestTrace } from '@assay/contract/ingest.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../../test/started-app.ts'
import { openLog } from '../../platform/log.ts'
import { openRetention } from './remove-old.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const clock = { now: () => new Date('2026-03-01T00:00:00Z') }

async function projectWithTraces(days: number | null): Promise<string> {
  const { projectId, tracingKey } = await service.addTenant()
  await service.accounts.projects.update(projectId, { retention_days: days })
  for (const [trace_id, started_at] of [
    ['old', '2026-01-01T00:00:00Z'],
    ['older than a week', '2026-02-20T00:00:00Z'],
    ['new', '2026-02-28T00:00:00Z'],
  ]) {
    const body = { trace_id, spans: [{ span_id: 's', name: 'run', started_at }] }
    await service.ask(ingestTrace, { body }, { 'x-tracing-key': tracingKey })
  }
  return projectId
}

const left = async (projectId: string) => {
  const { traces } = await service.telemetry.listTraces(projectId, { limit: 9, filters: {} })
  return traces.map(({ traceId }) => traceId)
}

test('a project keeps what it says, else what the service says, else everything', async () => {
  const [week, unsaid] = [await projectWithTraces(7), await projectWithTraces(null)]
  const sweep = async (retentionDays: number | undefined) => {
    const { accounts, telemetry } = service
    const ports = { accounts, telemetry, clock, log: openLog('error', () => {}), retentionDays }
    const retention = openRetention(ports)
    await retention.sweep()
    await retention.stop()
  }
  await sweep(undefined)
  expect(await left(week)).toEqual(['new'])
  expect((await left(unsaid)).length).toBe(3)
  await sweep(30)
  expect(await left(unsaid)).toEqual(['new', 'older than a week'])
})
