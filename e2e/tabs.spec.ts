import { call } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { createProject } from '@assay/contract/organizations.ts'
import { createTracingKey } from '@assay/contract/tracing-keys.ts'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { callAs, person } from './running-service.ts'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * Several tabs of one browser, all of them visible.
 */

describe.skipIf(inject('chromium') === null)('tabs of one browser', () => {
  const { service, setUp, watched, page } = serviceInBrowser()
  const tabs: Page[] = []

  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close()
  })

  const listOf = (projectId: string) => `${service.origin}/p/${projectId}/traces`

  async function openTab(url: string): Promise<Page> {
    const tab = await watched.context.newPage()
    tabs.push(tab)
    await tab.goto(url)
    return tab
  }

  async function send(key: string, name: string): Promise<void> {
    const spans = [{ span_id: 'a', name, started_at: new Date().toISOString() }]
    const headers = { 'x-tracing-key': key }
    await call(
      service.api,
      ingestTrace,
      { body: { trace_id: name, spans }, headers: {} },
      { headers },
    )
  }

  async function expectTrace(tab: Page, name: string): Promise<void> {
    await tab.getByRole('link', { name, exact: true }).waitFor()
  }

  test('show new traces in seven windows of a project, over the six connections of a browser', async () => {
    await send(setUp.tracing_key, 'stored before')
    for (let count = 0; count < 7; count += 1) {
      await expectTrace(await openTab(listOf(setUp.project.id)), 'stored before')
    }
    await send(setUp.tracing_key, 'stored live')
    for (const tab of tabs) await expectTrace(tab, 'stored live')
  })

  test('continue to show new traces after one of them is closed', async () => {
    await page.goto(listOf(setUp.project.id))
    const other = await openTab(listOf(setUp.project.id))
    await expectTrace(other, 'stored live')
    await page.goto('about:blank')
    await send(setUp.tracing_key, 'stored after a tab was closed')
    await expectTrace(other, 'stored after a tab was closed')
  })

  test.skipIf(!inject('isLong'))(
    'show new traces in windows of seven projects (only with npm run test:long)',
    async () => {
      const api = callAs(service, setUp)
      const keys: string[] = []
      for (let count = 0; count < 7; count += 1) {
        const orgId = setUp.organization.id
        const body = { name: `Project ${count}` }
        const project = await api(createProject, { params: { orgId }, body })
        const params = { projectId: project.id }
        const { key } = await api(createTracingKey, { params, body: {} })
        await send(key, 'stored before')
        keys.push(key)
        await expectTrace(await openTab(listOf(project.id)), 'stored before')
      }
      for (const [index, tab] of tabs.entries()) {
        await send(keys[index] ?? '', 'stored live')
        await expectTrace(tab, 'stored live')
      }
    },
  )

  test('sign out together, and return to their pages after sign-in in one of them', async () => {
    const dashboard = `${service.origin}/p/${setUp.project.id}/dashboard`
    const [first, second, live] = [
      await openTab(dashboard),
      await openTab(`${service.origin}/profile`),
      await openTab(listOf(setUp.project.id)),
    ]
    await first.getByText('Error rate').first().waitFor()
    await expectTrace(live, 'stored live')
    await second.getByText(person.email).first().click()
    await second.getByRole('menuitem', { name: 'Sign out' }).click()
    for (const tab of tabs) await tab.waitForURL(/\/sign-in/)
    for (const tab of tabs) await expect.poll(() => tab.getByText(person.email).count()).toBe(0)

    await second.getByLabel('E-mail address').fill(person.email)
    await second.getByRole('button', { name: 'Continue' }).click()
    await second.getByLabel('Password', { exact: false }).first().fill(person.password)
    await second.getByRole('button', { name: 'Sign in' }).click()
    await second.waitForURL(/\/p\//)
    await first.waitForURL(dashboard)
    await first.getByText('Error rate').first().waitFor()
    await live.waitForURL(listOf(setUp.project.id))
    await expectTrace(live, 'stored live')
  })

  test('leave when the session has ended and the tab becomes visible again', async () => {
    const tab = await openTab(`${service.origin}/profile`)
    await tab.getByText(person.email).first().waitFor()
    // The cookie of the session, as if it had ended while the tab was hidden.
    await watched.context.clearCookies()
    await tab.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await tab.waitForURL(/\/sign-in\?next=/)
  })

  test('cause no errors on the sign-in page', async () => {
    const faults: string[] = []
    const tab = await openTab('about:blank')
    tab.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    for (const path of ['/sign-in', '/sign-up']) {
      await tab.goto(service.origin + path)
      await tab.getByLabel('E-mail address').waitFor()
    }
    expect(faults).toEqual([])
  })
})
