import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasClickHouseEngine } from '../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../test/clickhouse/gated-engine.ts'
import { idsOf, span } from '../port/samples.ts'
import type { TelemetryStore } from '../port/store.ts'
import { openConnection } from './connection.ts'

/*
 * The statements of the guides that back up and restore a database, in their order, with a place that the engine for
 * tests has.
 */

const guides = join(import.meta.dirname, '../../../../../docs/guides')
const place = "Disk('backups', '$backup.zip')"

function readStatements(guide: string): readonly string[] {
  const text = readFileSync(join(guides, guide), 'utf8')
  return [...text.matchAll(/--query (['"])((?:BACKUP|RESTORE|DROP) DATABASE .*?)\1( &&)?$/gm)].map(
    ([, , statement = '']) => statement.replace(place, "Memory('monday')"),
  )
}

const projectId = 'project'

async function record(store: TelemetryStore, traceId: string, spanId: string): Promise<void> {
  const spans = store.encode([span(spanId, { traceId, name: `found by ${spanId}` })])
  await store.record({ projectId, source: 'otlp', spans })
}

async function search(store: TelemetryStore, word: string): Promise<readonly string[]> {
  return idsOf((await store.listTraces(projectId, { limit: 9, filters: { search: word } })).traces)
}

describe.runIf(hasClickHouseEngine())(
  'a database of ClickHouse (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    const clickHouse = useGatedEngine('SQLite')

    test('that the statements of both guides back up and restore has its traces, and takes spans of them', async () => {
      const [backUp, dropLeft, check, dropChecked, drop, restore, ...more] =
        readStatements('scale-out.md')
      expect([restore, more]).toEqual([expect.stringMatching(/^RESTORE/), []])
      expect(readStatements('deploy.md')).toEqual(readStatements('scale-out.md'))
      const server = openConnection({ url: clickHouse.engine.url, database: 'default' })
      const before = await clickHouse.openStore()
      await record(before, 'a', 'one')
      await before.close()
      await server.execute(backUp!)
      const lost = await clickHouse.openStore()
      await record(lost, 'b', 'later')
      await lost.close()

      const missing = check!.replace('monday', 'sunday')
      await expect(server.execute(missing)).rejects.toThrow('not found')
      // The first time, they are interrupted after the check.
      const checking = [dropLeft!, check!]
      for (const statement of [...checking, ...checking, dropChecked!, drop!, restore!]) {
        await server.execute(statement)
      }
      const restored = await clickHouse.openStore()
      expect(await search(restored, 'found')).toEqual(['a'])
      await record(restored, 'a', 'two')
      expect(await search(restored, 'two')).toEqual(['a'])
      expect((await restored.findTrace(projectId, 'a'))?.spanCount).toBe(2)
      await Promise.all([restored.close(), server.close()])
    })
  },
)
