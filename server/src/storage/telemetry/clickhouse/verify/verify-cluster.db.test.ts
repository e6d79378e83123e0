import { describe, expect, test } from 'vitest'
import { silent } from '../../../../../test/accounts-database.ts'
import { hasClickHouseEngine } from '../../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../../test/clickhouse/gated-engine.ts'
import { openConnection } from '../connection.ts'
import { verifyCluster } from './verify-cluster.ts'

describe.runIf(hasClickHouseEngine())(
  'the verification of ClickHouse (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    const clickHouse = useGatedEngine('SQLite')

    async function verified({ cluster }: { readonly cluster?: string } = {}) {
      const lines: string[] = []
      const settings = { url: clickHouse.gate.url, database: 'assay', cluster }
      const failed = await verifyCluster(settings, silent, (line) => lines.push(line))
      return { failed, lines }
    }

    async function listDatabases() {
      const connection = openConnection({ url: clickHouse.engine.url, database: 'default' })
      const rows = await connection.rows('SHOW DATABASES', {})
      await connection.close()
      return rows.map(([name]) => String(name)).filter((name) => name.startsWith('assay'))
    }

    test('passes for a server that keeps the promises, and leaves no database', async () => {
      const { failed, lines } = await verified()
      expect(lines.filter((line) => !line.startsWith('ok'))).toEqual([
        'The database of the checks is removed.',
      ])
      expect(failed).toBe(0)
      expect(lines).toHaveLength(9)
      expect(await listDatabases()).toEqual([])
    })

    test.each([
      ['rows of traces', 'INSERT INTO traces', ['visibility', 'concurrent writes', 'removal']],
      ['deletions', 'DELETE FROM', ['removal']],
    ])(
      'reports which promises a server breaks that loses %s, and leaves no database',
      async (_what, text, broken) => {
        clickHouse.gate.lose(text)
        const { failed, lines } = await verified()
        clickHouse.gate.lose(undefined)
        const named = lines.flatMap((line) => /^FAILED\s+([a-z ]+):/.exec(line)?.slice(1) ?? [])
        expect(named).toEqual(broken)
        expect(failed).toBe(broken.length)
        expect(await listDatabases()).toEqual([])
      },
    )

    test('fails for a cluster that the server does not know, and creates nothing', async () => {
      const { failed, lines } = await verified({ cluster: 'unknown' })
      expect(failed).toBe(1)
      expect(lines[1]).toMatch(
        /^FAILED {2}cluster: ClickHouse has no cluster with the name unknown\./,
      )
      expect(lines[2]).toBe(
        'skipped tables, visibility, concurrent writes, idempotency keys, removal, replicas',
      )
      expect(await listDatabases()).toEqual([])
    })

    test('says that a server cannot be reached', async () => {
      const settings = { url: 'http://127.0.0.1:1/', database: 'assay', cluster: undefined }
      const lines: string[] = []
      const failed = await verifyCluster(settings, silent, (line) => lines.push(line))
      expect(failed).toBe(1)
      expect(lines[0]).toBe(
        'FAILED  version: ClickHouse cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Check ASSAY_CLICKHOUSE_URL.',
      )
    })
  },
)
