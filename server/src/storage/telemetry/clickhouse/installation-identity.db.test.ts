import { describe, expect, test } from 'vitest'
import { hasClickHouseEngine } from '../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../test/clickhouse/gated-engine.ts'
import { openConnection } from './connection.ts'
import { inspectTables, markTables } from './installation-identity.ts'
import { createDatabase } from './migrate.ts'

describe.runIf(hasClickHouseEngine())(
  'installations that set up one database of ClickHouse (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    const clickHouse = useGatedEngine('SQLite')

    test.each([
      ['the smaller id', ['a', 'b']],
      ['the larger id', ['b', 'a']],
    ] as const)(
      'at the same moment: the first one keeps it, and the other fails with what to do, with %s first',
      async (_name, [firstId, secondId]) => {
        const settings = {
          url: clickHouse.gate.url,
          database: `set_up_${firstId}`,
          cluster: undefined,
        }
        const server = openConnection({ url: clickHouse.engine.url, database: 'default' })
        await createDatabase(server, settings.database)
        await server.close()

        // Neither has stored its id when the other looks for one.
        const held = ['a', 'b'].map(() => clickHouse.gate.hold('INSERT INTO installation_identity'))
        const first = markTables(settings, firstId)
        await held[0]!.reached
        const second = markTables(settings, secondId)
        await held[1]!.reached
        for (const { release } of held) release()
        const refusal = `set up ${new URL(clickHouse.gate.url).host}/${settings.database} in ASSAY_CLICKHOUSE_URL and keeps it. Name another database.`
        await Promise.all([first, expect(second).rejects.toThrow(refusal)])

        expect((await inspectTables(settings)).installationId).toBe(firstId)
        await markTables(settings, firstId)
        await expect(markTables(settings, secondId)).rejects.toThrow(refusal)
      },
    )
  },
)
