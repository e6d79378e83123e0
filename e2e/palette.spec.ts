import { createProject } from '@assay/contract/organizations.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { launchBrowser, openPage, type WatchedPage } from './browser.ts'
import {
  callAs,
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * Going anywhere by the keyboard alone.
 */

const chromium = inject('chromium')

describe.skipIf(chromium === null)('the command palette', () => {
  let service: RunningService
  let setUp: SetUpService
  let browser: Browser
  let watched: WatchedPage
  let page: Page

  beforeAll(async () => {
    service = await runService()
    setUp = await setUpService(service)
    const body = { name: 'Checkout' }
    await callAs(service, setUp)(createProject, {
      params: { orgId: setUp.organization.id },
      body,
    })
    for (const [id, name] of [
      ['order-1042-first', 'answer the customer'],
      ['order-1042-second', 'refund the order'],
    ] as const) {
      await ingest(service, setUp.tracing_key, id, name)
    }
    browser = await launchBrowser(chromium ?? '')
    watched = await openPage(browser, service.origin, setUp.session.cookie)
    page = watched.page
    await page.goto(`${service.origin}/p/${setUp.project.id}/keys`)
    await page.getByRole('heading', { name: 'Tracing keys' }).waitFor()
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  const box = () => page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox')
  const current = () => page.locator('[role=option][aria-selected=true]').innerText()

  async function goTo(text: string, expected: RegExp): Promise<void> {
    await page.keyboard.press('Control+k')
    await box().waitFor()
    await page.keyboard.type(text)
    await expect.poll(current, { timeout: 10_000 }).toMatch(expected)
    await page.keyboard.press('Enter')
  }

  test('opens and closes by its keys, and goes where the arrows point', async () => {
    await page.keyboard.press('Control+k')
    await box().waitFor()
    expect(await current()).toMatch(/^Traces/)
    await page.keyboard.press('ArrowDown')
    await expect.poll(current).toMatch(/^Sessions/)
    await page.keyboard.press('Escape')
    await box().waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/keys$/)
  })

  test.each([
    ['sess', /^Sessions/, /\/sessions$/],
    ['audit', /^Audit log/, /settings\/audit-log$/],
    ['reprice', /^Price anew/, /prices\/anew$/],
    ['refund', /^refund the order/, /traces\/order-1042-second/],
    ['order-1042-first', /^answer the customer/, /traces\/order-1042-first/],
  ])('%s leads there', async (text, expected, address) => {
    await goTo(text, expected)
    await page.waitForURL(address)
  })

  test('another project is a few letters away', async () => {
    await goTo('check', /^Checkout/)
    await page.waitForURL(/\/p\/(?<id>[^/]+)\/traces$/)
    expect(page.url()).not.toContain(setUp.project.id)
  })

  test('a question mark lists what the keyboard does, but not while one types', async () => {
    await page.keyboard.press('Control+k')
    await box().waitFor()
    await page.keyboard.type('what?')
    expect(await box().inputValue()).toBe('what?')
    await page.keyboard.press('Escape')
    await box().waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  })

  test('met no error on any page and no breach of the content-security policy', () => {
    // Whether a typed text is the id of a trace is found out by asking.
    expect(watched.faults.filter((fault) => !fault.includes('status of 404'))).toEqual([])
  })
})

async function ingest(
  service: RunningService,
  key: string,
  trace_id: string,
  name: string,
): Promise<void> {
  const started_at = new Date().toISOString()
  const response = await fetch(`${service.api}/traces/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': key },
    body: JSON.stringify({ trace_id, spans: [{ span_id: 'a', name, started_at }] }),
  })
  expect(response.status).toBe(202)
}
