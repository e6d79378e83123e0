import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  emptyDatabase,
  openTestAccounts,
  silent,
  type TestAccounts,
} from '../../../../../test/accounts-database.ts'
import { hasClickHouseEngine } from '../../../../../test/clickhouse/engine.ts'
import { useGatedEngine } from '../../../../../test/clickhouse/gated-engine.ts'
import { eventually } from '../../../../../test/eventually.ts'
import { addTenant } from '../../../../../test/people.ts'
import { startOn } from '../../../../../test/sharded-telemetry.ts'
import { Unavailable } from '../../../../platform/failure.ts'
import { openLog } from '../../../../platform/log.ts'
import { type ClickHouseSettings, formatAddress } from '../../../../platform/store-settings.ts'
import {
  inspectDatabase,
  markDatabase,
  setTelemetryPart,
} from '../../../accounts/database-identity.ts'
import { acceptLostTables, openSharedInstallation } from '../../../shared-installation.ts'
import { labels, readSpans, span } from '../../port/samples.ts'
import { score } from '../../port/score-samples.ts'
import { contentLog } from '../../port/signal-samples.ts'
import type { TelemetryStore } from '../../port/store.ts'
import { openConnection } from '../connection.ts'

/*
 * Projects in several databases of ClickHouse: which one has a project, and what happens while one does not respond. The
 * databases are on one engine; that each is on a server of its own is what sharded-store.db.test.ts shows.
 */

describe.runIf(hasClickHouseEngine())(
  'databases of ClickHouse, each with some of the projects (only where chdb is installed)',
  { timeout: 120_000 },
  () => {
    /** The gate is before the second database. */
    const clickHouse = useGatedEngine('SQLite')
    /** Of one test. */
    let accounts: TestAccounts
    let opened: TelemetryStore[]
    let count = 0
    beforeEach(async () => {
      accounts = await openTestAccounts('PostgreSQL')
      opened = []
      count += 1
    })
    afterEach(async () => {
      for (const store of opened) await store.close()
      await accounts.remove()
    })

    const at = (url: string, name: string): ClickHouseSettings => ({
      ...{ url, database: `${name}_${count}`, cluster: undefined },
    })
    const [first, second] = [
      () => at(clickHouse.engine.url, 'first'),
      () => at(clickHouse.gate.url, 'second'),
    ]
    const start = async (...servers: readonly ClickHouseSettings[]): Promise<TelemetryStore> => {
      const store = await startOn(servers, accounts)
      opened.push(store)
      return store
    }
    /** The name of the database that has a project. */
    const databaseOf = async (projectId: string) => {
      const rows = await accounts.query(
        `select address from telemetry_shards join project_shards on shard_id = id where project_id = '${projectId}'`,
      )
      return /\/([a-z]+)_\d+$/.exec(String(rows[0]?.['address']))?.[1]
    }
    /** A project in the first database and one in the second, each with a trace. */
    const twoProjects = async (store: TelemetryStore): Promise<readonly [string, string]> => {
      const [a, b] = [randomUUID(), randomUUID()]
      for (const projectId of [a, b]) await record(store, projectId)
      return (await databaseOf(a)) === 'first' ? [a, b] : [b, a]
    }
    const record = async (store: TelemetryStore, projectId: string, traceId = 'trace') => {
      const spans = store.encode([span('a', { traceId, model: 'm' }), span('b', { traceId })])
      await store.record({ projectId, source: 'json', spans, labels: labels({ tags: ['t'] }) })
    }
    const countOf = async (store: TelemetryStore, projectId: string) =>
      (await store.listTraces(projectId, { limit: 9, filters: {} })).traces.length
    const listDatabases = async () => {
      const connection = openConnection({ url: clickHouse.engine.url, database: 'default' })
      const rows = await connection.rows('SHOW DATABASES', {})
      await connection.close()
      return rows.map(([name]) => name)
    }

    test('keep their projects, in whatever order they are given, and new ones go where the fewest are', async () => {
      const warnings: string[] = []
      const log = openLog('warn', (line) => warnings.push(line))
      const store = await startOn([first(), second()], accounts, log)
      opened.push(store)
      const projects = await twoProjects(store)
      expect(await Promise.all(projects.map(databaseOf))).toEqual(['first', 'second'])
      const other = await start(at(clickHouse.engine.url, 'third'), second(), first())
      for (const projectId of projects) {
        expect(await countOf(other, projectId)).toBe(1)
        await record(other, projectId, 'another')
        expect(await countOf(store, projectId)).toBe(2)
      }
      const added = randomUUID()
      await record(other, added)
      expect(await countOf(other, added)).toBe(1)
      // A process with earlier settings has no address for it, and does not begin it elsewhere.
      for (const run of [() => store.findTrace(added, 'trace'), () => record(store, added)]) {
        const error = await run().catch((thrown: unknown) => thrown)
        expect(error).toBeInstanceOf(Unavailable)
        expect(String(error)).toContain('does not have the address of the project')
      }
      const { url, database } = at(clickHouse.engine.url, 'third')
      const { host } = new URL(url)
      await eventually(() =>
        expect(warnings.filter((line) => line.includes('is not in ASSAY_CLICKHOUSE_URL'))).toEqual([
          expect.stringContaining(`"server":"${host}/${database}"`),
        ]),
      )
      expect(await countOf(other, added)).toBe(1)
    })

    test('while one does not respond, its projects are unavailable, others and new ones are not', async () => {
      const store = await start(first(), second())
      const [up, down] = await twoProjects(store)
      clickHouse.gate.cut('')
      await expect(record(store, down, 'lost')).rejects.toBeInstanceOf(Unavailable)
      await eventually(() =>
        expect(store.readStorage(up)).resolves.toMatchObject({
          deploymentBytes: null,
        }),
      )
      expect(await store.probe()).toBe(true)
      expect(await countOf(store, up)).toBe(1)
      for (const projectId of [up, randomUUID(), randomUUID()]) await record(store, projectId, 'x')

      // A process can start meanwhile, and uses the database once it responds.
      const started = await start(first(), second())
      await expect(record(started, down, 'lost')).rejects.toBeInstanceOf(Unavailable)
      expect(await countOf(started, up)).toBe(2)
      clickHouse.gate.cut(undefined)
      for (const each of [store, started]) {
        await eventually(async () => expect(await countOf(each, down)).toBe(1))
      }
      expect((await started.readStorage(up)).deploymentBytes).toBeGreaterThan(0)
    })

    const tables = ['logs', 'span_contents', 'scores', 'spans', 'trace_labels', 'traces']
    test.each([
      ...tables.map((table) => `INSERT INTO ${table}`),
      ...tables.map((table) => `DELETE FROM ${table}`),
    ])(
      'a move between two of them that was interrupted at %s completes when it is repeated',
      async (text) => {
        const store = await start(first(), second())
        const [inFirst, inSecond] = await twoProjects(store)
        // The statement is one of the second database.
        const [from, to] = text.startsWith('DELETE') ? [inSecond, inFirst] : [inFirst, inSecond]
        await store.removeTrace(to, 'trace')
        await record(store, from, 'second')
        await store.recordScores(from, [score('s')])
        const logs = [contentLog('a', 'question', 'answer', { traceId: 'trace' })]
        await store.recordLogs(from, store.encodeLogs(logs))
        const before = await store.findTrace(from, 'trace')
        const spans = await readSpans(store, from, 'trace')
        const ids = ['second', 'trace']

        clickHouse.gate.cut(text)
        await expect(store.moveTraces(to, from, ids)).rejects.toBeInstanceOf(Unavailable)
        clickHouse.gate.cut(undefined)
        expect(await store.moveTraces(to, from, ids)).toEqual(['adopted', 'adopted'])

        expect(await store.findTrace(from, 'trace')).toBeUndefined()
        for (const id of ids) expect(await readSpans(store, from, id)).toEqual([])
        expect(await countOf(store, from)).toBe(0)
        const after = await store.findTrace(to, 'trace')
        expect(after).toEqual({ ...before, projectId: to, updatedAt: after?.updatedAt })
        expect(await readSpans(store, to, 'trace')).toEqual(spans)
        expect((await store.listScores(to, 'trace', { limit: 9 })).scores).toHaveLength(1)
        expect((await store.findSpan(to, 'trace', 'a'))?.body.input).toContain('question')
        expect((await store.findTrace(to, 'second'))?.spanCount).toBe(2)
        expect(await store.moveTraces(to, from, ids)).toEqual(['exists', 'exists'])
      },
    )

    test.each(['first', 'second'])(
      'a move from the %s takes along a price that is stored after the spans were copied',
      async (source) => {
        const store = await start(first(), second())
        const [inFirst, inSecond] = await twoProjects(store)
        const [from, to] = source === 'first' ? [inFirst, inSecond] : [inSecond, inFirst]
        await store.removeTrace(to, 'trace')
        // The statement is one of the second database.
        const held = clickHouse.gate.hold(
          source === 'first' ? 'INSERT INTO traces' : 'DELETE FROM spans',
        )
        const moving = store.moveTraces(to, from, ['trace'])
        await held.reached
        const range = { from: 0n, to: 2n ** 62n }
        const { spans } = await store.listPriceable(from, { range, limit: 9 })
        const price = { computedCostUsd: 3, priceSource: 's', priceDate: 'd', unpricedReason: null }
        const prices = spans.map((each) => ({ ...each, price }))
        expect(await store.reprice(from, prices)).toHaveLength(1)
        held.release()
        expect(await moving).toEqual(['adopted'])
        expect((await store.findTrace(to, 'trace'))?.costUsd).toBe(3)
        const moved = await readSpans(store, to, 'trace')
        expect(moved.map(({ computedCostUsd }) => computedCostUsd)).toEqual([3, null])
        expect(await readSpans(store, from, 'trace')).toEqual([])
        expect(await store.findTrace(from, 'trace')).toBeUndefined()
      },
    )

    describe('a start', () => {
      const refusal = async (...servers: readonly ClickHouseSettings[]): Promise<string> => {
        const opening = startOn(servers, accounts)
        return await opening.then(
          () => 'none',
          (error: Error) => error.message,
        )
      }
      test('without one of them, or with an empty one instead, is refused by its address and creates nothing', async () => {
        await (await start(first(), second())).close()
        const before = await listDatabases()
        const { database } = second()
        expect(await refusal(first())).toContain(`/${database}.`)
        expect(await refusal(first(), at(clickHouse.engine.url, 'third'))).toContain(
          `/${database}.`,
        )
        expect(await listDatabases()).toEqual(before)
      })

      test('while one is down names it with the reason, and what else was used, and suggests no loss', async () => {
        await (await start(first(), second())).close()
        const down = (name: string) => at('http://127.0.0.1:1', name)
        const usedBefore = ({ url, database }: ClickHouseSettings) =>
          `${new URL(url).host}/${database}`
        const unreachable =
          'ClickHouse cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Check ASSAY_CLICKHOUSE_URL.'
        const used = [first(), second()].map(usedBefore).toSorted().join(', ')
        expect(await refusal(down('first'))).toBe(
          `${unreachable} Used before, but not in ASSAY_CLICKHOUSE_URL: ${used}.`,
        )
        expect(await refusal(first(), down('a'), down('b'))).toBe(
          [
            ...['a', 'b'].map((name) => `${usedBefore(down(name))}: ${unreachable}`),
            `Used before, but not in ASSAY_CLICKHOUSE_URL: ${usedBefore(second())}.`,
          ].join(' '),
        )
        // Accepting a loss is refused as well.
        const databaseUrl = String(accounts.location.databaseUrl)
        const accepting = acceptLostTables({ databaseUrl, clickHouse: [down('first')] }, [], silent)
        await expect(accepting).rejects.toThrow(unreachable)
      })

      test('with the tables of another application in PostgreSQL does not call that empty', async () => {
        await (await start(first())).close()
        const other = await emptyDatabase('PostgreSQL')
        onTestFinished(() => other.remove())
        await other.query('create table theirs (id text)')
        const databaseUrl = String(other.location.databaseUrl)
        const opening = openSharedInstallation({ databaseUrl, clickHouse: [first()] }, silent)
        await expect(opening).rejects.toThrow(
          /^The database in ASSAY_DATABASE_URL has no tables of Assay, but the one in ASSAY_CLICKHOUSE_URL has been used\./,
        )
      })

      test('with an address of something else names it', async () => {
        await (await start(first(), second())).close()
        const server = createServer((_, response) => void response.writeHead(404).end('<html>'))
        server.listen(0, '127.0.0.1')
        await once(server, 'listening')
        onTestFinished(() => void server.close())
        const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
        expect(await refusal(first(), second(), at(`http://${host}`, 'other'))).toMatch(
          new RegExp(
            `^${host}/other_\\d+: What responds at ASSAY_CLICKHOUSE_URL is not ClickHouse\\.`,
          ),
        )
      })

      test('queues the tables by which it knows the database for servers that were added to its cluster', async () => {
        await (await start(second())).close()
        const server = { ...second(), cluster: 'main' }
        const databaseUrl = String(accounts.location.databaseUrl)
        // The engine has no cluster.
        clickHouse.gate.lose('ON CLUSTER')
        const before = clickHouse.gate.lost.length
        const { claim } = await openSharedInstallation(
          { databaseUrl, clickHouse: [server] },
          silent,
        )
        const id = await claim(server)
        clickHouse.gate.lose(undefined)
        const queued = clickHouse.gate.lost.slice(before)
        expect(queued.map((text) => text.slice(0, text.indexOf(' (')))).toEqual(
          ['installation_identity', 'shard_identity'].map(
            (name) => `CREATE TABLE IF NOT EXISTS ${name} ON CLUSTER 'main'`,
          ),
        )
        expect(queued[1]).toContain(`COMMENT '${id}'`)
      })

      test('with one under two addresses, or of another installation, is refused', async () => {
        await (await start(first(), second())).close()
        const twice = await refusal(first(), second(), at(clickHouse.gate.url, 'first'))
        expect(twice).toMatch(/^The database .*first.* is the same as .*first/)
        const others = accounts
        accounts = await openTestAccounts('PostgreSQL')
        await (await start(at(clickHouse.engine.url, 'third'))).close()
        const own = accounts
        accounts = others
        expect(await refusal(first(), second(), at(clickHouse.engine.url, 'third'))).toMatch(
          /third_\d+ in ASSAY_CLICKHOUSE_URL does not belong to/,
        )
        await own.remove()
      })

      test('goes on without one that was lost for good once that is accepted, with the projects of the others', async () => {
        const store = await start(first(), second())
        const [kept, lost] = await twoProjects(store)
        await store.close()
        const settings = (...clickHouse: readonly ClickHouseSettings[]) => ({
          ...{ databaseUrl: String(accounts.location.databaseUrl), clickHouse },
        })
        const lostAddress = formatAddress(second())
        const accept = (servers: readonly ClickHouseSettings[], ...given: readonly string[]) =>
          acceptLostTables(settings(...servers), given, silent)
        await expect(accept([first(), second()], lostAddress)).rejects.toThrow(
          'is in use. To start without it, name another one.',
        )
        const left = [first(), at(clickHouse.engine.url, 'third')]
        // Both may be alive: the operator has to name what is lost.
        for (const given of [[], [formatAddress(first())], [lostAddress, 'another']]) {
          await expect(accept(left, ...given)).rejects.toThrow(
            `empty: ${lostAddress}. If that is lost for good, \`npm run assay -- data accept-loss ${lostAddress}\``,
          )
        }
        await (await start(first(), second())).close()
        await accept(left, lostAddress)
        const later = await start(...left)
        expect(await countOf(later, kept)).toBe(1)
        expect(await countOf(later, lost)).toBe(0)
        await record(later, lost)
        expect(await countOf(later, lost)).toBe(1)
      })

      test('gives up nothing for a database of another installation', async () => {
        await (await start(first())).close()
        const own = accounts
        accounts = await openTestAccounts('PostgreSQL')
        onTestFinished(() => own.remove())
        await (await start(second())).close()
        const databaseUrl = String(own.location.databaseUrl)
        const before = await inspectDatabase(databaseUrl, silent)
        const given = [formatAddress(first())]
        const accepting = acceptLostTables({ databaseUrl, clickHouse: [second()] }, given, silent)
        await expect(accepting).rejects.toThrow('is of another installation')
        expect(await inspectDatabase(databaseUrl, silent)).toEqual(before)
      })

      test('whose traces are in a data folder gives up nothing of them', async () => {
        const databaseUrl = String(accounts.location.databaseUrl)
        await markDatabase(databaseUrl, randomUUID(), silent)
        await setTelemetryPart(databaseUrl, 'telemetry.sqlite', silent)
        const before = await inspectDatabase(databaseUrl, silent)
        const accepting = acceptLostTables({ databaseUrl, clickHouse: [first()] }, [], silent)
        await expect(accepting).rejects.toThrow(
          'The traces of this installation are in a data folder, not in ClickHouse. To give those up, remove ASSAY_CLICKHOUSE_URL first.',
        )
        expect(await inspectDatabase(databaseUrl, silent)).toEqual(before)
      })

      test('does not use an empty database instead of one that did not respond, and creates nothing in it', async () => {
        const store = await start(first(), second())
        const [kept, lost] = await twoProjects(store)
        await store.close()
        clickHouse.gate.cut('')
        const errors: string[] = []
        const log = openLog('error', (line) => errors.push(line))
        const started = await startOn([first(), second()], accounts, log)
        opened.push(started)
        const { database } = second()
        const connection = openConnection({ url: clickHouse.engine.url, database: 'default' })
        await connection.execute(`DROP DATABASE ${database} SYNC`)
        await connection.close()
        clickHouse.gate.cut(undefined)
        await eventually(() => expect(errors.join()).toContain('or one is empty: '))
        await expect(record(started, lost)).rejects.toBeInstanceOf(Unavailable)
        expect(await countOf(started, kept)).toBe(1)
        expect(await listDatabases()).not.toContain(database)
      })

      test('records projects that were moved to the first one as those of the first one', async () => {
        const moved = [await addTenant(accounts.accounts), await addTenant(accounts.accounts)]
        await (await start(second())).close()
        const store = await start(first(), second())
        for (const { projectId } of moved) expect(await databaseOf(projectId)).toBe('second')
        const added = randomUUID()
        await record(store, added)
        expect(await databaseOf(added)).toBe('first')
      })
    })
  },
)
