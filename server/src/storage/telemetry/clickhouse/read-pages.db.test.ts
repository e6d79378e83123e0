import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type ClickHouseEngine,
  hasClickHouseEngine,
  startClickHouse,
} from '../../../../test/clickhouse/engine.ts'
import { type Connection, openConnection } from './connection.ts'
import { type PagedTable, readPages } from './read-pages.ts'

describe.runIf(hasClickHouseEngine())(
  'reading in pages (only where chdb is installed)',
  { timeout: 60_000 },
  () => {
    let engine: ClickHouseEngine
    beforeAll(async () => {
      engine = await startClickHouse()
    })
    afterAll(() => engine.stop())

    const table: PagedTable = {
      ...{ name: 'sized', columns: 'toString(id), toString(text)', rowsAtOnce: 500 },
      key: [
        ['at', 'Int64'],
        ['id', 'String'],
      ],
    }

    /** With rows whose texts are this long, and statements that may return a megabyte. */
    async function openSized(lengths: readonly number[]): Promise<Pick<Connection, 'stream'>> {
      const connection = openConnection({ url: engine.url, database: 'default' })
      onTestFinished(() => connection.close())
      await connection.execute(`CREATE OR REPLACE TABLE sized
        (project_id String, at Int64, id String, text String)
        ENGINE = ReplacingMergeTree ORDER BY (project_id, at, id)`)
      const rows = lengths.map((length, n) => [
        'p',
        n >> 1,
        `${n}`.padStart(4, '0'),
        'x'.repeat(length),
      ])
      await connection.insertRows('sized', [...rows, ['another', 0, 'id', '']])
      return {
        stream: (text, parameters, options) =>
          connection.stream(`${text} SETTINGS max_result_bytes = 1000000`, parameters, options),
      }
    }

    async function readIds(connection: Pick<Connection, 'stream'>): Promise<readonly string[]> {
      const ids: string[] = []
      const condition = 'project_id = {project:String}'
      for await (const rows of readPages(connection, table, condition, { project: 'p' })) {
        ids.push(...rows.map(([id]) => String(id)))
      }
      return ids
    }

    const repeated = (count: number, ...lengths: readonly number[]) =>
      Array.from({ length: count }, (_, n) => lengths[n % lengths.length] ?? 0)
    test.each([
      ['none', []],
      ['small ones', repeated(1200, 10)],
      ['as many as one page', repeated(500, 10)],
      ['more than a statement may return', repeated(300, 10_000)],
      [
        'large ones between small ones',
        [...repeated(400, 10), ...repeated(9, 400_000), ...repeated(700, 10)],
      ],
      ['large ones among small ones', repeated(40, 600_000, 10, 200_000)],
    ])('returns each row once and in order: %s', async (_what, lengths) => {
      const ids = await readIds(await openSized(lengths))
      expect(ids).toEqual(lengths.map((_, n) => `${n}`.padStart(4, '0')))
    })

    test('fails when one row is more than a statement may return', async () => {
      const connection = await openSized([10, 2_000_000, 10])
      await expect(readIds(connection)).rejects.toThrow('more than ClickHouse may return')
    })
  },
)
