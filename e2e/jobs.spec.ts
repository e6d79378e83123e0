import { ingestTrace } from '@assay/contract/ingest.ts'
import { createProjectPrice } from '@assay/contract/prices.ts'
import { type Repricing, readRepricing, reprice } from '@assay/contract/repricing.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { expect, inject, test, vi } from 'vitest'
import { freePort } from '../server/test/free-port.ts'
import { callAs, newDataDir, runService, setUpService } from './running-service.ts'

/*
 * Background jobs of a service that is killed. Waits for a lease to expire, so it runs with the long tests.
 */

const traceCount = 24
const spansPerTrace = 500

test.skipIf(!inject('isLong'))(
  'a re-pricing of a killed service resumes at the next start (only with npm run test:long)',
  async () => {
    const [dataDir, port] = [newDataDir(), await freePort()]
    const killed = await runService({ dataDir, port })
    const first = await setUpService(killed)
    const params = { projectId: first.project.id }
    for (let i = 0; i < traceCount; i++) {
      const started_at = new Date(Date.UTC(2026, 0, 1 + i)).toISOString()
      const spans = Array.from({ length: spansPerTrace }, (_, n) => ({
        ...{ span_id: `s${n}`, name: 'call', kind: 'llm', model: 'acme-large', started_at },
        ...{ tokens_in: 1000, tokens_out: 0 },
      }))
      const response = await fetch(killed.api + ingestTrace.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-tracing-key': first.tracing_key },
        body: JSON.stringify({ trace_id: `t${i}`, spans }),
      })
      expect(response.status).toBe(202)
    }
    const price = { model: 'acme-large', input_usd_per_mtok: 1000, output_usd_per_mtok: 0 }
    await callAs(killed, first)(createProjectPrice, { params, body: price })
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }
    const { id } = await callAs(killed, first)(reprice, { params, body: range })
    const read = (service: typeof killed): Promise<Repricing> =>
      callAs(service, first)(readRepricing, { params: { ...params, jobId: id ?? '' } })
    await vi.waitFor(async () => expect((await read(killed)).traces_done).toBeGreaterThan(1))
    await killed.kill()

    const service = await runService({ dataDir, port })
    const before = await read(service)
    expect(before.state).toBe('running')
    expect(before.traces_done).toBeLessThan(traceCount)
    const patience = { timeout: 60_000, interval: 250 }
    await vi.waitFor(async () => expect((await read(service)).state).toBe('completed'), patience)
    expect(await read(service)).toMatchObject({
      traces_done: traceCount,
      spans_examined: traceCount * spansPerTrace,
    })
    const traces = await callAs(service, first)(listTraces, { params, query: { limit: 100 } })
    expect(traces.map(({ cost_usd }) => cost_usd)).toEqual(
      Array.from({ length: traceCount }, () => spansPerTrace),
    )
    await service.stop()
  },
)
