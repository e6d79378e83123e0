import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasClickHouseEngine } from '../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../test/clickhouse/gated-engine.ts'
import { Unavailable } from '../../../platform/failure.ts'
import { span } from '../port/samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import { openConnection } from './connection.ts'

/*
 * How processes create and check the tables when they start.
 */

describe.runIf(hasClickHouseEngine())(
  'the tables in ClickHouse (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    const clickHouse = useGatedEngine('PostgreSQL')
    const open = async (
      database: string,
      {
        url = clickHouse.engine.url,
        cluster,
      }: { readonly url?: string; readonly cluster?: string } = {},
    ) => {
      const store = await clickHouse.openStore({ url, database, cluster })
      onTestFinished(() => store.close())
      return store
    }
    const query = async (statement: string) => {
      const connection = openConnection({ url: clickHouse.engine.url, database: 'default' })
      const rows = await connection.rows(statement, {})
      await connection.close()
      return rows
    }
    const tablesOf = async (database: string) => {
      const rows = await query(
        `SELECT name, create_table_query FROM system.tables WHERE database = '${database}' ORDER BY name`,
      )
      // The engine may reload them, and they are in different databases.
      return rows.map(([name, text]) => [name, String(text).replaceAll(database, 'database')])
    }
    const expectUsable = async (store: TelemetryStore) => {
      const spans = store.encode([span('a')])
      await store.record({ projectId: 'project', source: 'otlp', spans })
      expect((await store.findTrace('project', 'trace'))?.spanCount).toBe(1)
    }

    test('are created once by several processes that start at the same time', async () => {
      const stores = await Promise.all(Array.from({ length: 5 }, () => open('at_once')))
      expect(await query('SELECT count() FROM at_once.migrations FINAL')).toEqual([['3']])
      for (const store of stores) await expectUsable(store)
    })

    test('are completed by the next process when one was killed while it created them', async () => {
      await open('whole')
      for (const text of ['CREATE TABLE IF NOT EXISTS trace_labels', 'INSERT INTO migrations']) {
        const database = `killed_${text.length}`
        clickHouse.gate.cut(text)
        await expect(open(database, { url: clickHouse.gate.url })).rejects.toBeInstanceOf(
          Unavailable,
        )
        clickHouse.gate.cut(undefined)
        expect(await tablesOf(database)).not.toEqual([])
        await expectUsable(await open(database))
        expect(await tablesOf(database)).toEqual(await tablesOf('whole'))
      }
    })

    test('of a newer version are refused, and stay as they are', async () => {
      await open('newer')
      const connection = openConnection({ url: clickHouse.engine.url, database: 'newer' })
      onTestFinished(() => connection.close())
      await connection.execute('DROP TABLE logs SYNC')
      await connection.insertRows('migrations (number)', [[99]])
      const before = await tablesOf('newer')
      await expect(open('newer')).rejects.toThrow(
        'The tables in ClickHouse are of a newer version (migration 99;',
      )
      expect(await tablesOf('newer')).toEqual(before)
    })

    test('leave no connection open when they cannot be used', async () => {
      await open('unusable')
      const connection = openConnection({ url: clickHouse.engine.url, database: 'unusable' })
      onTestFinished(() => connection.close())
      await connection.insertRows('migrations (number)', [[99]])
      const port = Number(new URL(clickHouse.gate.url).port)
      const sockets: Socket[] = []
      const onSocket = (message: unknown) => {
        const { socket } = message as { readonly socket: Socket }
        socket.once('connect', () => socket.remotePort === port && sockets.push(socket))
      }
      subscribe('net.client.socket', onSocket)
      await expect(open('unusable', { url: clickHouse.gate.url })).rejects.toThrow(
        'of a newer version',
      )
      unsubscribe('net.client.socket', onSocket)
      expect(sockets.length).toBeGreaterThan(1)
      expect(sockets.filter(({ destroyed }) => !destroyed)).toEqual([])
    })

    test('a cluster that the server does not know is refused, and nothing is created', async () => {
      await expect(open('on_cluster', { cluster: 'none' })).rejects.toThrow(
        'ClickHouse has no cluster with the name none.',
      )
      expect(await query("SHOW DATABASES LIKE 'on_cluster'")).toEqual([])
    })
  },
)
