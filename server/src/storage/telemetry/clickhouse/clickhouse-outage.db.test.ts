import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestAccounts, type TestAccounts } from '../../../../test/accounts-database.ts'
import {
  type ClickHouseEngine,
  hasClickHouseEngine,
  startClickHouse,
} from '../../../../test/clickhouse/engine.ts'
import { eventually } from '../../../../test/eventually.ts'
import { systemClock } from '../../../platform/clock.ts'
import { Unavailable } from '../../../platform/failure.ts'
import { openLog } from '../../../platform/log.ts'
import { span } from '../port/samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import { openClickHouseTelemetry } from './open-store.ts'

/*
 * The store while ClickHouse is killed and hangs.
 */

/** An address that stays the same, in front of an engine that gets a new one with each start. */
async function startRelay() {
  const sockets = new Set<Socket>()
  const relay = { url: '', target: '', isHanging: false, stop: () => server.close() }
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => client.destroy())
    client.on('close', () => sockets.delete(client))
    if (relay.isHanging) return
    const upstream = connect(Number(new URL(relay.target).port), '127.0.0.1')
    upstream.on('error', () => client.destroy())
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.on('data', (bytes) => {
      if (!relay.isHanging) upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (!relay.isHanging) client.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  relay.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(relay, {
    dropAll() {
      for (const socket of sockets) socket.destroy()
    },
  })
}

describe.runIf(hasClickHouseEngine())('an outage of ClickHouse', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-outage-'))
  let engine: ClickHouseEngine
  let relay: Awaited<ReturnType<typeof startRelay>>
  let accounts: TestAccounts
  let store: TelemetryStore
  beforeAll(async () => {
    engine = await startClickHouse(folder)
    relay = await startRelay()
    relay.target = engine.url
    accounts = await openTestAccounts('SQLite')
    store = await openClickHouseTelemetry({
      ...{ url: relay.url, database: 'assay', clock: systemClock },
      idempotencyRecords: accounts.accounts.idempotencyRecords,
      notifications: accounts.accounts.notifications,
      log: openLog('error', () => {}),
    })
  }, 60_000)
  afterAll(async () => {
    await store.close()
    await engine.stop()
    relay.stop()
    await accounts.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const outages = {
    async 'is killed'() {
      await engine.kill()
      return async () => {
        engine = await startClickHouse(folder)
        relay.target = engine.url
      }
    },
    async hangs() {
      relay.isHanging = true
      return async () => {
        relay.isHanging = false
        relay.dropAll()
      }
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
})
