import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, silent } from '../../../test/accounts-database.ts'
import { anyText } from '../../../test/any-account-rows.ts'
import {
  type ClickHouseEngine,
  hasClickHouseEngine,
  startClickHouse,
} from '../../../test/clickhouse/engine.ts'
import { hashesOf, masterSecret, moveData, usedFolder } from '../../../test/moved-folder.ts'
import { fillProject, readProject } from '../../../test/telemetry-samples.ts'
import { openAccounts } from '../accounts/connect.ts'
import { markerName, openInstallation } from '../installation.ts'
import { acceptLostTables, openSharedInstallation } from '../shared-installation.ts'
import { openConnection } from '../telemetry/clickhouse/connection.ts'
import { openTelemetry } from '../telemetry/engines.ts'
import type { TelemetryStore } from '../telemetry/port/store.ts'

const projectWithRule = anyText('projects id', 1)
const projects = [projectWithRule, 'project b']
const command = join(import.meta.dirname, '../../command.ts')

async function fill(store: TelemetryStore): Promise<void> {
  for (const [index, projectId] of projects.entries()) {
    await fillProject(store, { projectId, traces: 12, spansPerTrace: 8, seed: 7 + index })
  }
}

describe.runIf(hasClickHouseEngine())(
  'moving a data folder to PostgreSQL and ClickHouse (only where chdb is installed)',
  { timeout: 180_000 },
  () => {
    let engine: ClickHouseEngine
    let count = 0
    beforeAll(async () => {
      engine = await startClickHouse()
    })
    afterAll(() => engine.stop())

    async function newTargets(dataDir: string) {
      const database = await emptyDatabase('PostgreSQL')
      onTestFinished(() => database.remove())
      count += 1
      const name = `moved_${count}`
      const databaseUrl = String(database.location.databaseUrl)
      return {
        database,
        databaseUrl,
        clickHouse: { url: engine.url, database: name, cluster: undefined },
        settings: {
          ASSAY_DATA_DIR: dataDir,
          ASSAY_DATABASE_URL: databaseUrl,
          ASSAY_SECRET: masterSecret,
          ASSAY_CLICKHOUSE_URL: `${engine.url}/${name}`,
        },
      }
    }
    type Targets = Awaited<ReturnType<typeof newTargets>>

    async function openTarget({ databaseUrl, clickHouse }: Targets) {
      const accounts = await openAccounts({ dataDir: '', databaseUrl }, silent)
      const { idempotencyRecords, notifications } = accounts
      const telemetry = await openTelemetry({
        ...{ engine: 'clickhouse', ...clickHouse, idempotencyRecords, notifications, log: silent },
      })
      onTestFinished(async () => {
        await telemetry.close()
        await accounts.close()
      })
      return { accounts, telemetry }
    }

    function openInstallationOf({ databaseUrl, clickHouse }: Targets) {
      return openSharedInstallation({ databaseUrl, clickHouse: [clickHouse] }, silent)
    }

    async function dropDatabase({ database }: Targets['clickHouse']): Promise<void> {
      const server = openConnection({ url: engine.url, database: 'default' })
      await server.execute(`DROP DATABASE ${database} SYNC`)
      await server.close()
    }

    async function openSource(dataDir: string) {
      const telemetry = await openTelemetry({
        ...{ engine: 'sqlite', dataDir, log: silent },
        onFatal(error) {
          throw error
        },
      })
      onTestFinished(() => telemetry.close())
      return telemetry
    }

    async function expectMoved(dataDir: string, targets: Targets): Promise<void> {
      const [source, target] = [await openSource(dataDir), await openTarget(targets)]
      for (const projectId of projects) {
        const expected = await readProject(source, projectId)
        expect(expected.traces).toHaveLength(12)
        expect(expected.logs).toHaveLength(6)
        expect(await readProject(target.telemetry, projectId)).toEqual(expected)
      }
    }

    async function hasAccounts({ database }: Targets): Promise<boolean> {
      const [found] = await database.query("select to_regclass('users') is not null as found")
      if (found?.['found'] !== true) return false
      return (await database.query('select 1 from users')).length > 0
    }

    test('stores what the folder has, with its times, scores, prices and idempotency keys; the files stay as they were', async () => {
      const dataDir = await usedFolder(fill)
      const db = new DatabaseSync(join(dataDir, 'accounts.sqlite'))
      db.exec("UPDATE jobs SET kind = 'retention' WHERE attempts = 1")
      const job = db.prepare('SELECT * FROM jobs WHERE attempts = 2').get()
      const rule = {
        ...job,
        id: 'a rule',
        unique_key: 'a rule',
        kind: 'evaluation_rule',
        attempts: 3,
      }
      const columns = Object.keys(rule)
      db.prepare(
        `INSERT INTO jobs (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      ).run(...(Object.values(rule) as string[]))
      db.close()
      const before = hashesOf(dataDir)
      const targets = await newTargets(dataDir)
      expect(await moveData(targets.settings)).toMatchObject({ code: 0, complaint: '' })
      expect(hashesOf(dataDir)).toEqual(before)
      expect(await hasAccounts(targets)).toBe(true)
      await expect(openInstallationOf(targets)).resolves.toBeDefined()
      // Sweeps and rules continue by positions of their engine.
      const jobs = await targets.database.query('select kind, position from jobs order by attempts')
      expect(jobs).toMatchObject([
        { kind: 'retention', position: null },
        { position: anyText('jobs position', 2) },
        { kind: 'evaluation_rule', position: null },
      ])
      expect((await moveData(targets.settings)).lines[0]).toContain('was moved before')
      await expectMoved(dataDir, targets)
      const { telemetry } = await openTarget(targets)
      const repeated = await telemetry.record({
        ...{ projectId: 'project b', source: 'json', spans: telemetry.encode([]) },
        idempotency: { key: 'key 1', note: 'another' },
      })
      expect(repeated).toMatchObject({ repeated: true, note: 'note 1' })
      expect(repeated.traces).toMatchObject([{ traceId: 'trace 1' }])
    })

    test('leaves a folder that no service starts on, until the mark is deleted', async () => {
      const dataDir = await usedFolder()
      const targets = await newTargets(dataDir)
      const marker = join(dataDir, markerName)
      const before = readFileSync(marker)
      await moveData(targets.settings)
      const alone = { dataDir, databaseUrl: undefined }
      await expect(openInstallation(alone, silent)).rejects.toThrow('was moved to')
      // As if the command had been killed before that.
      writeFileSync(marker, before)
      await moveData(targets.settings)
      await expect(openInstallation(alone, silent)).rejects.toThrow('was moved to')
      rmSync(marker)
      await expect(openInstallation(alone, silent)).resolves.toBeDefined()
    })

    /** As a service does that starts on the folder alone and stops. */
    async function useFolder(dataDir: string, change: (store: TelemetryStore) => Promise<void>) {
      const settings = { dataDir, databaseUrl: undefined }
      const installation = await openInstallation(settings, silent)
      const accounts = await openAccounts(settings, silent)
      const telemetry = await openSource(dataDir)
      await installation.claim(['accounts.sqlite', 'telemetry.sqlite'])
      await change(telemetry)
      await telemetry.close()
      await accounts.close()
    }

    const addTraces = (store: TelemetryStore) =>
      fillProject(store, { projectId: 'later', traces: 2, spansPerTrace: 2, seed: 3 })

    function renamePeople(dataDir: string): void {
      const db = new DatabaseSync(join(dataDir, 'accounts.sqlite'))
      db.exec("UPDATE users SET name = 'Renamed'")
      db.close()
    }

    test.each([
      [
        'after its mark was deleted',
        async (dataDir: string) => {
          rmSync(join(dataDir, markerName))
          await useFolder(dataDir, addTraces)
        },
      ],
      [
        'after the move was killed before it could mark it',
        async (dataDir: string, backup: string) => {
          cpSync(join(backup, markerName), join(dataDir, markerName))
          await useFolder(dataDir, addTraces)
        },
      ],
      [
        'for accounts only',
        async (dataDir: string, backup: string) => {
          cpSync(join(backup, markerName), join(dataDir, markerName))
          renamePeople(dataDir)
        },
      ],
      [
        'as a restored backup',
        async (dataDir: string, backup: string) => {
          rmSync(dataDir, { recursive: true })
          cpSync(backup, dataDir, { recursive: true })
          await useFolder(dataDir, addTraces)
        },
      ],
    ])(
      'does not take a folder for moved that was used since: %s; it can be moved to empty databases',
      async (_how, change) => {
        const dataDir = await usedFolder(fill)
        const backup = `${dataDir}-backup`
        onTestFinished(() => rmSync(backup, { recursive: true, force: true }))
        cpSync(dataDir, backup, { recursive: true, preserveTimestamps: true })
        const targets = await newTargets(dataDir)
        expect(await moveData(targets.settings)).toMatchObject({ code: 0 })
        await change(dataDir, backup)
        const [files, marker] = [hashesOf(dataDir), readFileSync(join(dataDir, markerName))]
        expect(await moveData(targets.settings)).toMatchObject({
          ...{ code: 1, lines: [] },
          complaint:
            'The databases do not have all that this folder contains: they were filled from another copy of it, or used before it was moved again. Name empty databases.',
        })
        expect(hashesOf(dataDir)).toEqual(files)
        expect(readFileSync(join(dataDir, markerName))).toEqual(marker)
        await useFolder(dataDir, async () => {})
        const others = await newTargets(dataDir)
        expect(await moveData(others.settings)).toMatchObject({ code: 0, complaint: '' })
        await expectMoved(dataDir, others)
      },
    )

    test('needs the address of the same ClickHouse to be repeated', async () => {
      const dataDir = await usedFolder()
      const targets = await newTargets(dataDir)
      const before = readFileSync(join(dataDir, markerName))
      await moveData(targets.settings)
      const { ASSAY_CLICKHOUSE_URL: _, ...withoutClickHouse } = targets.settings
      writeFileSync(join(dataDir, markerName), before)
      expect(await moveData(withoutClickHouse)).toMatchObject({
        code: 1,
        complaint: expect.stringContaining('Set ASSAY_CLICKHOUSE_URL'),
      })
      const { clickHouse } = await newTargets(dataDir)
      const ASSAY_CLICKHOUSE_URL = `${engine.url}/${clickHouse.database}`
      expect(await moveData({ ...targets.settings, ASSAY_CLICKHOUSE_URL })).toMatchObject({
        code: 1,
      })
      expect(readFileSync(join(dataDir, markerName))).toEqual(before)
      expect(await moveData(targets.settings)).toMatchObject({ code: 0 })
    })

    test('continues after it was killed at any time, and ends in the same state', async () => {
      const dataDir = await usedFolder(fill)
      const targets = await newTargets(dataDir)
      for (const linesBefore of [1, 2, 5, 9, 16]) {
        await killedAfter(linesBefore, targets.settings)
        expect(await hasAccounts(targets)).toBe(false)
        // No service starts on what is not complete.
        await expect(openInstallationOf(targets)).rejects.toThrow(/./)
      }
      const { code, complaint, lines } = await moveData(targets.settings)
      expect({ code, complaint }).toEqual({ code: 0, complaint: '' })
      // The pieces that were complete are not moved again.
      expect(lines.filter((line) => line.includes('traces 2025')).length).toBeLessThan(10)
      await expectMoved(dataDir, targets)
    })

    test('reports damaged rows by name, moves the rest, and completes nothing', async () => {
      const dataDir = await usedFolder(fill)
      const db = new DatabaseSync(join(dataDir, 'telemetry.sqlite'))
      const [damaged] = db
        .prepare(
          'SELECT trace_id, project_id, block_no FROM blocks JOIN traces USING (trace_no) JOIN projects USING (project_no) LIMIT 1 OFFSET 3',
        )
        .all()
      db.prepare("UPDATE blocks SET data = x'0102', is_compressed = 1 WHERE block_no = ?").run(
        Number(damaged?.['block_no']),
      )
      db.prepare(
        "DELETE FROM spans WHERE span_id = 'span 2' AND trace_no = (SELECT max(trace_no) FROM traces)",
      ).run()
      db.close()
      const targets = await newTargets(dataDir)
      const { code, complaint } = await moveData(targets.settings)
      expect(code).toBe(1)
      expect(complaint).toContain(
        `of trace ${damaged?.['trace_id']} of project ${damaged?.['project_id']}`,
      )
      expect(complaint).toContain('8 spans were recorded, but 7 are stored')
      expect(complaint).toContain('the move is not complete')
      expect(await hasAccounts(targets)).toBe(false)
      expect((await moveData(targets.settings)).complaint).toBe(complaint)
    })

    test('reports a damaged page by what is on it, and completes nothing', async () => {
      const dataDir = await usedFolder(fill)
      const path = join(dataDir, 'telemetry.sqlite')
      const db = new DatabaseSync(path, { readOnly: true })
      const page = Number(
        db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'logs'").get()?.['rootpage'],
      )
      const bytes = Number(db.prepare('PRAGMA page_size').get()?.['page_size'])
      db.close()
      const file = openSync(path, 'r+')
      writeSync(file, Buffer.alloc(bytes, 0xff), 0, bytes, (page - 1) * bytes)
      closeSync(file)
      const targets = await newTargets(dataDir)
      const { code, complaint, lines } = await moveData(targets.settings)
      expect(code).toBe(1)
      expect(complaint).toContain('the index of logs: database disk image is malformed')
      expect(complaint).toContain('Restore a backup of the data folder')
      expect(lines).toContain('  metrics b 0: 5 points, 4 series')
      expect(await hasAccounts(targets)).toBe(false)
    })

    test('reports what was changed in ClickHouse before the end, and stores no accounts', async () => {
      const dataDir = await usedFolder(fill)
      const targets = await newTargets(dataDir)
      await killedAfter(5, targets.settings)
      const { openConnection } = await import('../telemetry/clickhouse/connection.ts')
      const connection = openConnection(targets.clickHouse)
      await connection.execute(
        "DELETE FROM spans WHERE span_id = 'span 3' AND trace_id = 'trace 4'",
      )
      await connection.close()
      const { code, complaint } = await moveData(targets.settings)
      expect(code).toBe(1)
      expect(complaint).toMatch(/spans of \d{4}-\d\d-\d\d: 96 rows were moved, 95 are stored/)
      expect(await hasAccounts(targets)).toBe(false)
    })

    test('refuses databases of another installation, and a folder that was used after the move began', async () => {
      const dataDir = await usedFolder(fill)
      const other = await usedFolder()
      const targets = await newTargets(dataDir)
      await killedAfter(5, targets.settings)
      expect(await moveData({ ...targets.settings, ASSAY_DATA_DIR: other })).toMatchObject({
        code: 1,
        complaint: expect.stringContaining('of another installation'),
      })
      const source = await openSource(dataDir)
      await source.removeTrace('project b', 'trace 0')
      await source.close()
      expect(await moveData(targets.settings)).toMatchObject({
        code: 1,
        complaint: expect.stringContaining('was used after the move began'),
      })
      expect(await hasAccounts(targets)).toBe(false)
    })

    test('moves telemetry again after its database was lost, and its loss was accepted', async () => {
      const dataDir = await usedFolder(fill)
      const targets = await newTargets(dataDir)
      const { databaseUrl, clickHouse } = targets
      expect(await moveData(targets.settings)).toMatchObject({ code: 0, complaint: '' })
      await dropDatabase(clickHouse)
      expect(await moveData(targets.settings)).toMatchObject({
        code: 1,
        complaint: expect.stringContaining(
          `the database ${clickHouse.database} in ClickHouse is empty`,
        ),
      })
      await acceptLostTables({ databaseUrl, clickHouse: [clickHouse] }, [], silent)
      await killedAfter(5, targets.settings)
      await expect(openInstallationOf(targets)).rejects.toThrow('has only a part of a data folder')
      expect(await moveData(targets.settings)).toMatchObject({ code: 0, complaint: '' })
      expect(await moveData(targets.settings)).toMatchObject({ code: 0, complaint: '' })
      await expectMoved(dataDir, targets)
    })

    test('is refused when a service has used the empty database since, and leaves it unchanged', async () => {
      const dataDir = await usedFolder(fill)
      const targets = await newTargets(dataDir)
      const { databaseUrl, clickHouse } = targets
      expect(await moveData(targets.settings)).toMatchObject({ code: 0, complaint: '' })
      await dropDatabase(clickHouse)
      await acceptLostTables({ databaseUrl, clickHouse: [clickHouse] }, [], silent)
      const { claim } = await openInstallationOf(targets)
      const { telemetry } = await openTarget(targets)
      await claim(clickHouse)
      expect(await moveData(targets.settings)).toMatchObject({
        code: 1,
        complaint: expect.stringContaining('do not have all that this folder contains'),
      })
      expect((await readProject(telemetry, 'project b')).traces).toEqual([])
    })

    test.each([
      ['in the middle of those that settled at one time', 3, 12],
      ['at the end', 12, 0],
    ])('evaluation rules continue where they were: %s', async (_where, decided, listed) => {
      const dataDir = await usedFolder((store) =>
        fillProject(store, { projectId: projectWithRule, traces: 12, spansPerTrace: 2, seed: 1 }),
      )
      const settledAt = 1_763_600_000_000_000_000n
      const accounts = new DatabaseSync(join(dataDir, 'accounts.sqlite'))
      accounts
        .prepare('UPDATE evaluation_rules SET position = ? WHERE project_id = ?')
        .run(`${settledAt} ${decided}`, projectWithRule)
      accounts.close()
      const telemetryFile = new DatabaseSync(join(dataDir, 'telemetry.sqlite'))
      // As if one commit had stored them.
      telemetryFile.prepare('UPDATE traces SET settles_at = ?').run(settledAt)
      telemetryFile.close()
      const targets = await newTargets(dataDir)
      expect(await moveData(targets.settings)).toMatchObject({ code: 0, complaint: '' })
      const [rule] = await targets.database.query(
        "select position from evaluation_rules where position not like '1 %'",
      )
      const { telemetry } = await openTarget(targets)
      const { traces } = await telemetry.listSettledTraces(projectWithRule, {
        ...{ filters: {}, receivedSince: 0n, until: 2n ** 62n, scanLimit: 100, countLimit: 0 },
        after: String(rule?.['position']),
      })
      expect(traces).toHaveLength(listed)
    })

    test('moves telemetry alone when the accounts were moved before', async () => {
      const dataDir = await usedFolder(fill)
      const targets = await newTargets(dataDir)
      const { ASSAY_CLICKHOUSE_URL: _, ...accountsOnly } = targets.settings
      expect(await moveData(accountsOnly)).toMatchObject({ code: 0, complaint: '' })
      expect(await moveData(targets.settings)).toMatchObject({ code: 0, complaint: '' })
      expect(await moveData(targets.settings)).toMatchObject({ code: 0, complaint: '' })
      await expectMoved(dataDir, targets)
      const records = await targets.database.query('select key from idempotency_records')
      expect(records.map(({ key }) => key)).toContain('key 2')
    })

    test('moves telemetry, too, after one of accounts that was killed before the folder was switched', async () => {
      const dataDir = await usedFolder(fill)
      const targets = await newTargets(dataDir)
      const marker = join(dataDir, 'installation.json')
      const before = readFileSync(marker, 'utf8')
      const { ASSAY_CLICKHOUSE_URL: _, ...accountsOnly } = targets.settings
      expect(await moveData(accountsOnly)).toMatchObject({ code: 0, complaint: '' })
      writeFileSync(marker, before)
      expect(await moveData(targets.settings)).toMatchObject({ code: 0, complaint: '' })
      await expectMoved(dataDir, targets)
    })

    /** Runs the command as a process and kills it once it has printed so many lines. */
    async function killedAfter(
      linesBefore: number,
      environment: Readonly<Record<string, string>>,
    ): Promise<void> {
      const child = spawn(process.execPath, [command, 'data', 'move'], {
        env: {
          NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../../.cache/node'),
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let out = ''
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        out += chunk
        if (out.split('\n').length > linesBefore) child.kill('SIGKILL')
      })
      const [, signal] = await once(child, 'close')
      expect(signal, out).toBe('SIGKILL')
    }
  },
)
