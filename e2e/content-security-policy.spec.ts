import { createSampleProject } from '@assay/contract/organizations.ts'
import { listTraces } from '@assay/contract/traces.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openPage } from './browser.ts'
import {
  callAs,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'
import { closePages, sharedBrowser } from './shared-browser.ts'

const chromium = inject('chromium')

describe.skipIf(chromium === null)('the content security policy', () => {
  let service: RunningService
  let setUp: SetUpService
  let browser: Browser
  let projectId: string
  let traceId: string

  beforeAll(async () => {
    service = await runService()
    setUp = await setUpService(service)
    const call = callAs(service, setUp)
    const params = { orgId: setUp.organization.id }
    projectId = (await call(createSampleProject, { params })).id
    const [trace] = await call(listTraces, { params: { projectId }, query: { limit: 1 } })
    traceId = trace?.trace_id ?? ''
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await closePages()
    await service.stop()
  })

  /** The faults of the pages at these paths, opened in one browser. */
  async function faultsAt(
    paths: readonly string[],
    cookie?: string,
    origin = service.origin,
  ): Promise<readonly string[]> {
    const { page, context, faults } = await openPage(browser, origin, cookie)
    for (const path of paths) {
      await page.goto(origin + path)
      await page.getByRole('heading').first().waitFor()
    }
    await context.close()
    return faults.filter((fault) => !/status of (401|404)/.test(fault))
  }

  test('is not violated by any page of a project', async () => {
    const paths = [
      'traces',
      `traces/${traceId}`,
      `compare?a=${traceId}&b=${traceId}`,
      ...['sessions', 'users', 'dashboard', 'metrics', 'logs', 'storage', 'send', 'keys'],
      ...['prices/models', 'prices/custom', 'prices/recalculate'],
    ].map((path) => `/p/${projectId}/${path}`)
    expect(await faultsAt(paths, setUp.session.cookie)).toEqual([])
  })

  test('is not violated by any page of settings and of the platform', async () => {
    const settings = ['general', 'members', 'invites', 'roles', 'projects', 'single-sign-on']
    const platform = ['access', 'people', 'super-admins', 'organizations', 'audit-log']
    const paths = [
      ...[...settings, 'audit-log'].map((path) => `/o/${setUp.organization.id}/settings/${path}`),
      ...platform.map((path) => `/platform/${path}`),
      '/profile',
    ]
    expect(await faultsAt(paths, setUp.session.cookie)).toEqual([])
  })

  test('is not violated by any page without sign-in', async () => {
    const paths = [
      ...['/sign-in', '/sign-up', '/forgot-password', '/choose-password#token=a'],
      ...['/accept-invite#token=a', '/setup', '/session-transfer/redeem#code=a', '/docs'],
    ]
    expect(await faultsAt(paths)).toEqual([])
  })

  test('is not violated by any page of the chat app', async () => {
    const chat = new URL(service.chatApi).origin
    const project = `/${setUp.organization.slug}/${setUp.project.slug}`
    const paths = [project, `${project}/c/${crypto.randomUUID()}`, '/no/project', '/nothing']
    expect(await faultsAt(paths, setUp.session.cookie, chat)).toEqual([])
    const signedOut = ['/sign-in', '/session-transfer/redeem#code=a']
    expect(await faultsAt(signedOut, undefined, chat)).toEqual([])
  })

  test('reports violations that a page catches', async () => {
    const { page, context, faults } = await openPage(browser, service.origin)
    await page.goto(`${service.origin}/sign-in`)
    await page.evaluate('void setTimeout(() => { try { new Function("") } catch {} })')
    await expect.poll(() => faults.join()).toContain('violation of script-src')
    await context.close()
  })
})
