import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasClickHouseEngine } from '../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../test/clickhouse/gated-engine.ts'
import { eventually } from '../../../../test/eventually.ts'
import { Unavailable } from '../../../platform/failure.ts'
import { span } from '../port/samples.ts'
import type { TelemetryStore } from '../port/store.ts'

/*
 * The store while ClickHouse is killed and hangs.
 */

describe.runIf(hasClickHouseEngine())('an outage of ClickHouse', { timeout: 120_000 }, () => {
  const clickHouse = useGatedEngine('SQLite')
  let store: TelemetryStore
  beforeAll(async () => {
    store = await clickHouse.openStore({ url: clickHouse.engine.url })
  })
  afterAll(() => store.close())

  const outages = {
    async 'is killed'() {
      await clickHouse.engine.kill()
      return () => clickHouse.engine.restart()
    },
    async hangs() {
      clickHouse.engine.freeze()
      return async () => clickHouse.engine.thaw()
    },
  }

  test.each(Object.entries(outages))(
    'when it %s loses nothing that was acknowledged, refuses what is not, and ends by itself',
    async (_name, fail) => {
      const projectId = randomUUID()
      const acknowledged: string[] = []
      const refusals: unknown[] = []
      let isEnding = false
      const send = async (sender: number) => {
        for (let i = 0; !isEnding; i += 1) {
          const traceId = `${sender}-${i}`
          const spans = store.encode([span('a', { traceId }), span('b', { traceId })])
          try {
            await store.record({ projectId, source: 'otlp', spans })
            acknowledged.push(traceId)
          } catch (error) {
            refusals.push(error)
          }
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      const senders = Array.from({ length: 8 }, (_, sender) => send(sender))
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(20))
      const recover = await fail()
      await eventually(async () => expect(await store.probe()).toBe(false))
      await expect(store.findTrace(projectId, acknowledged[0]!)).rejects.toThrow(Unavailable)
      const before = acknowledged.length
      await recover()
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 20))
      isEnding = true
      await Promise.all(senders)
      expect(refusals.length).toBeGreaterThan(0)
      expect(refusals.filter((error) => !(error instanceof Unavailable))).toEqual([])
      for (let at = 0; at < acknowledged.length; at += 100) {
        const ids = acknowledged.slice(at, at + 100)
        const traces = await store.findTraces(projectId, ids)
        expect(new Map(traces.map(({ traceId, spanCount }) => [traceId, spanCount]))).toEqual(
          new Map(ids.map((id) => [id, 2])),
        )
      }
    },
  )

  // CANNOT_ALLOCATE_MEMORY, SYSTEM_ERROR, S3_ERROR, STD_EXCEPTION: exporters drop what is answered with 500.
  test.each([
    ['INSERT INTO spans', 173],
    ['INSERT INTO traces', 425],
    ['SELECT', 499],
    ['INSERT INTO spans', 1001],
  ])(
    'a write whose statement %s fails with the error %i is retried by clients',
    async (text, code) => {
      const projectId = randomUUID()
      const through = await clickHouse.openStore()
      onTestFinished(async () => {
        clickHouse.gate.fail(undefined)
        await through.close()
      })
      const spans = through.encode([span('a')])
      const record = () => through.record({ projectId, source: 'otlp', spans })
      clickHouse.gate.fail(text, code)
      await expect(record()).rejects.toBeInstanceOf(Unavailable)
      clickHouse.gate.fail(undefined)
      await record()
      expect((await through.findTrace(projectId, 'trace'))?.spanCount).toBe(1)
    },
  )

  test('a write that fails because of its rows is no outage', async () => {
    const through = await clickHouse.openStore()
    onTestFinished(async () => {
      clickHouse.gate.fail(undefined)
      await through.close()
    })
    const spans = through.encode([span('a')])
    clickHouse.gate.fail('INSERT INTO spans', 27)
    const recording = through.record({ projectId: randomUUID(), source: 'otlp', spans })
    await expect(recording).rejects.not.toBeInstanceOf(Unavailable)
  })
})
