import { ingestTrace } from '@assay/contract/ingest.ts'
import { createProject } from '@assay/contract/organizations.ts'
import { moveTraces } from '@assay/contract/trace-management.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { createTracingKey } from '@assay/contract/tracing-keys.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type ClickHouseEngine, startClickHouse } from '../server/test/clickhouse/engine.ts'
import { execute } from '../server/test/postgres-server.ts'
import { openPage } from './browser.ts'
import {
  callAs,
  failedStart,
  type RunningService,
  type SetUpService,
  setUpService,
} from './running-service.ts'
import { hasScaledStores, type ScaledStores, startScaledStores } from './scaled-stores.ts'
import { closePages, sharedBrowser } from './shared-browser.ts'

/*
 * Two processes on one PostgreSQL and two servers of ClickHouse, each with some of the projects.
 */

const chromium = inject('chromium')

interface Project {
  readonly id: string
  readonly key: string
  readonly engine: ClickHouseEngine
}

describe.runIf(hasScaledStores())(
  'two processes on two servers of ClickHouse (only where chdb is installed)',
  () => {
    let stores: ScaledStores
    let second: ClickHouseEngine
    let services: readonly RunningService[]
    let owner: SetUpService
    let projects: readonly [Project, Project]
    const at = (index: number) => services[index] as RunningService

    beforeAll(async () => {
      ;[stores, second] = await Promise.all([startScaledStores(), startClickHouse()])
      const urls = [stores.clickHouse.url, second.url]
      services = await Promise.all(
        [urls, urls.toReversed()].map((given) =>
          stores.runService({ ASSAY_CLICKHOUSE_URL: given.join(',') }),
        ),
      )
      owner = await setUpService({ ...at(0), api: at(1).api })
      const call = callAs(at(0), owner)
      const params = { orgId: owner.organization.id }
      const added = await call(createProject, { params, body: { name: 'Second project' } })
      const inAdded = { params: { projectId: added.id }, body: { name: 'Key' } }
      const { key } = await call(createTracingKey, inAdded)
      projects = [
        await projectOf(owner.project.id, owner.tracing_key),
        await projectOf(added.id, key),
      ]
    })
    afterAll(async () => {
      await stores.stop()
      await second.stop()
    })

    /** With a trace, so that it is in one of the databases. */
    async function projectOf(id: string, key: string): Promise<Project> {
      expect((await send(at(0), { key }, 'first')).status).toBe(202)
      const [row] = await execute(
        stores.postgres.url,
        `select address from telemetry_shards join project_shards on shard_id = id where project_id = '${id}'`,
      )
      const isSecond = second.url.endsWith(String(row?.['address']).split('/')[0] ?? '')
      return { id, key, engine: isSecond ? second : stores.clickHouse }
    }

    async function send(service: RunningService, { key }: Pick<Project, 'key'>, traceId: string) {
      const spans = [{ span_id: 'a', name: 'answer', started_at: new Date().toISOString() }]
      return await fetch(service.api + ingestTrace.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-tracing-key': key },
        body: JSON.stringify({ trace_id: traceId, spans }),
      })
    }

    async function idsIn({ id }: Project, service: RunningService): Promise<readonly string[]> {
      const params = { projectId: id }
      const traces = await callAs(service, owner)(listTraces, { params, query: {} })
      return traces.map(({ trace_id }) => trace_id).toSorted()
    }

    test('divide the projects, and both read what either has stored', async () => {
      expect(projects[0].engine).not.toBe(projects[1].engine)
      for (const project of projects) {
        expect((await send(at(1), project, 'second')).status).toBe(202)
        for (const service of services) {
          expect(await idsIn(project, service)).toEqual(['first', 'second'])
        }
      }
    })

    test('move traces from a project on one server to a project on the other', async () => {
      const [from, to] = projects
      expect((await send(at(0), from, 'moved')).status).toBe(202)
      const params = { projectId: to.id }
      const body = { source_project_id: from.id, trace_ids: ['moved'] }
      await callAs(at(1), owner)(moveTraces, { params, body })
      expect(await idsIn(from, at(0))).toEqual(['first', 'second'])
      expect(await idsIn(to, at(0))).toEqual(['first', 'moved', 'second'])
    })

    test('refuse to start without one of the servers, and name it', async () => {
      const { errors, code } = await failedStart({ env: stores.env })
      expect(code).toBe(1)
      expect(errors).toContain(`${new URL(second.url).host}/assay`)
    })

    test.skipIf(chromium === null)(
      'show pages of projects on one server while the other is down, and load those of the other when it is back',
      async () => {
        const { origin } = at(0)
        const browser = await sharedBrowser()
        const { page, context } = await openPage(browser, origin, owner.session.cookie)
        const other = await context.newPage()
        const [up, down] = projects
        const traces = (shown: Page) => shown.getByRole('link', { name: 'answer' }).first()
        await down.engine.kill()
        await page.goto(`${origin}/p/${down.id}/traces`)
        await page.getByRole('heading', { name: 'Not available right now' }).waitFor()
        expect((await fetch(`${origin}/readyz`)).status).toBe(200)
        await other.goto(`${origin}/p/${up.id}/traces`)
        await traces(other).waitFor()
        expect(await traces(page).count()).toBe(0)
        await down.engine.restart()
        await traces(page).waitFor({ timeout: 60_000 })
        await closePages()
      },
    )

    test.skipIf(chromium === null)(
      'show on a live list that it is not up to date while its server is down, and that it is when it is back',
      async () => {
        const { origin } = at(0)
        const { page } = await openPage(await sharedBrowser(), origin, owner.session.cookie)
        const [, project] = projects
        await page.goto(`${origin}/p/${project.id}/traces`)
        await page.getByRole('button', { name: 'Auto-refresh' }).waitFor()
        await project.engine.kill()
        expect((await send(at(0), project, 'refused')).status).toBe(503)
        await page.getByRole('button', { name: 'Reconnecting' }).waitFor()
        await project.engine.restart()
        await page.getByRole('button', { name: 'Auto-refresh' }).waitFor({ timeout: 60_000 })
        await closePages()
      },
    )

    test('serve the projects of one server while the other is down, and start without it', async () => {
      const [up, down] = projects
      await down.engine.kill()
      for (const service of services) {
        const refused = await send(service, down, 'lost')
        expect(refused.status).toBe(503)
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
        expect((await send(service, up, 'third')).status).toBe(202)
        expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)
        expect(await idsIn(up, service)).toContain('third')
      }
      const urls = `${second.url},${stores.clickHouse.url}`
      const started = await stores.runService({ ASSAY_CLICKHOUSE_URL: urls })
      expect((await send(started, up, 'fourth')).status).toBe(202)
      expect((await send(started, down, 'lost')).status).toBe(503)
    })
  },
)
