import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openPage, type WatchedPage } from './browser.ts'
import { type RunningService, runService } from './running-service.ts'
import { closePages, sharedBrowser } from './shared-browser.ts'

/*
 * First use: from the printed link to the trace on the screen, with only a browser and a terminal.
 */

const chromium = inject('chromium')
const run = promisify(execFile)

const ana = { name: 'Ana Example', email: 'ana@example.org', password: 'a long enough password' }

describe.skipIf(chromium === null)('a new user', () => {
  let service: RunningService
  let browser: Browser
  let watched: WatchedPage
  let page: Page

  beforeAll(async () => {
    service = await runService()
    browser = await sharedBrowser()
    watched = await openPage(browser, service.origin)
    page = watched.page
  })
  afterAll(async () => {
    await closePages()
    await service.stop()
  })

  test('without the setup link learns where to find it', async () => {
    await page.goto(service.origin)
    await page.getByText('link').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/setup')
  })

  test('with an old setup link learns where to find the current one, not a form', async () => {
    await page.goto(`${service.origin}/setup?token=from-an-earlier-start`)
    await page.getByRole('heading', { name: 'This setup link is not valid' }).waitFor()
    await page.getByText('prints the current one at each start').waitFor()
    expect(await page.getByLabel('Your name').count()).toBe(0)
  })

  test('sets up the service with the printed link and gets to the page to send a trace', async () => {
    await page.goto(service.link)
    await page.getByLabel('Your name').fill(ana.name)
    await page.getByLabel('E-mail address').fill('ana@nowhere')
    await page.getByLabel('Password', { exact: false }).first().fill(ana.password)
    await page.getByLabel('Organization').fill('Example')
    await page.getByLabel('Project').fill('Checkout')
    await page.getByRole('button', { name: 'Create account and project' }).click()
    await page.getByText(/must be an e-mail address/i).waitFor()
    await page.getByLabel('E-mail address').fill(ana.email)
    const check = await holdRequests(page, '**/traces?limit=1')
    await page.getByRole('button', { name: 'Create account and project' }).click()
    // A trace that arrives before this check has ended does not open, so nothing promises that.
    await page.getByText('Checking for traces…').waitFor()
    await check.release()
    await page.getByText('Waiting for the first trace').waitFor()
  })

  test('learns from a snippet whether tests run it', async () => {
    const note = page.getByText('Not run by our tests')
    expect(await note.count()).toBe(0)
    await page.getByRole('tab', { name: 'Claude Code' }).click()
    await note.waitFor()
    await page.getByRole('tab', { name: 'curl' }).click()
    await note.waitFor({ state: 'detached' })
  })

  test('pastes the curl command into a terminal, and the trace opens by itself', async () => {
    const command = await page.locator('pre', { hasText: 'curl' }).first().innerText()
    const { stdout } = await run('sh', ['-c', command])
    expect(JSON.parse(stdout)).toMatchObject({ data: { span_count: 2, status: 'OK' } })
    await page.waitForURL(/\/traces\/first-/)
    await page.getByRole('heading', { name: 'first trace' }).waitFor()
    await page.getByText('answer a question').first().waitFor()
  })

  test('finds a span by its URL after a reload, and goes back to the list', async () => {
    await page.locator('[role="treeitem"]').nth(1).click()
    await page.waitForURL(/span=model/)
    const spans: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('?payload=none')) spans.push(request.url())
    })
    // Once it receives changes, it asks what it has missed.
    const missed = page.waitForResponse((response) => response.url().includes('?trace_id_prefix='))
    await page.reload()
    await page.getByText('LLM call', { exact: true }).waitFor()
    await missed
    expect(spans).toHaveLength(1)
    await page.getByRole('link', { name: 'Traces' }).first().click()
    await page.getByText('1 of 1 loaded').waitFor()
    await page.goBack()
    await page.waitForURL(/span=model/)
    await page.goForward()
    await page.getByText('1 of 1 loaded').waitFor()
  })

  test('sees new traces appear while the list is open', async () => {
    const key = await createKey(page, 'Build agents')
    await page.getByRole('link', { name: 'Traces', exact: true }).first().click()
    await page.getByText('1 of 1 loaded').waitFor()
    await ingest(service, key, 'arrived-live')
    await page.getByText('arrived-live').waitFor()
  })

  test('sees the list before the code of other pages loads', async () => {
    const fresh = await openPage(browser, service.origin)
    await fresh.context.addCookies(await watched.context.cookies())
    const requested: string[] = []
    fresh.page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    const isOtherPage = (path: string) => path.includes('/KeysPage-')
    await fresh.page.clock.install()
    const list = await holdRequests(fresh.page, '**/traces?*limit=100')
    await Promise.all([fresh.page.waitForRequest('**/traces?*'), fresh.page.goto(page.url())])
    await fresh.page.clock.fastForward(60_000)
    await fresh.page.evaluate(() => fetch('/favicon.svg'))
    expect(requested.filter(isOtherPage)).toEqual([])
    await list.release()
    await fresh.page.getByText('arrived-live').waitFor()
    await expect.poll(() => requested.filter(isOtherPage)).toHaveLength(1)
    await fresh.context.close()
    expect(fresh.faults).toEqual([])
  })

  test('requests the session, the projects, the page and its data while the code of the app loads', async () => {
    const tab = await watched.context.newPage()
    const code = await holdRequests(tab, '**/assets/app-*.js')
    const requested = ['/auth/session', '/projects', '/assets/list-', '/traces?mode=live'].map(
      (part) => tab.waitForRequest((request) => request.url().includes(part)),
    )
    await Promise.all([...requested, tab.goto(page.url(), { waitUntil: 'commit' })])
    // The list shows the response to the early request: it sends none before the stream has connected.
    await tab.route('**/traces/live', (route) => route.abort())
    await tab.route('**/traces?mode=live*', (route) => route.abort())
    await code.release()
    await tab.getByText('arrived-live').waitFor()
    await tab.close()
  })

  test('filters by name and status, keeps the filter after a reload, and clears it', async () => {
    await page.getByLabel('Search traces').fill('name:"nothing like it"')
    await page.keyboard.press('Enter')
    await page.waitForURL(/name=nothing/)
    await page.getByRole('button', { name: /clear/i }).first().waitFor()
    await page.reload()
    await page.getByRole('button', { name: /clear/i }).first().click()
    await page.getByText('arrived-live').waitFor()
    await page.getByText('Error', { exact: true }).first().click()
    await page.waitForURL(/status=ERROR/)
    await expect.poll(() => page.getByText('arrived-live').count()).toBe(0)
  })

  test('revokes a key, which is refused from then on', async () => {
    const key = await createKey(page, 'Old laptop')
    expect((await ingest(service, key, 'before')).status).toBe(202)
    const row = page.getByRole('row').filter({ hasText: 'Old laptop' })
    expect(await row.innerText()).toContain('Never')
    expect(await page.getByRole('row').filter({ hasText: 'Build agents' }).innerText()).toContain(
      'ago',
    )
    await page.getByRole('row').filter({ hasText: 'First key' }).waitFor()
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /revoke/i })
      .click()
    await row.getByText('Revoked').waitFor()
    expect((await ingest(service, key, 'after')).status).toBe(401)
  })

  test('signs out, must sign in again, and returns to the requested page', async () => {
    const requestedUrl = page.url()
    await page.getByText(ana.email).click()
    const lists = "Object.keys(sessionStorage).filter((key) => key.startsWith('assay.list.'))"
    expect(await page.evaluate(lists)).not.toEqual([])
    await page.getByText('Sign out').click()
    await expect.poll(() => page.evaluate(lists)).toEqual([])
    await page.waitForURL(/sign-in/)
    await page.goto(requestedUrl)
    await page.waitForURL(/sign-in\?next=/)
    await page.getByLabel('E-mail address').fill(ana.email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Password', { exact: false }).first().fill('not my password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Invalid e-mail or password.').waitFor()
    await page.getByLabel('Password', { exact: false }).first().fill(ana.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(requestedUrl)
  })

  test('saw no errors and no violation of the content security policy', () => {
    // The browser logs each request that is refused on purpose.
    const unexpected = watched.faults.filter((fault) => !/status of (400|401|403)/.test(fault))
    expect(unexpected).toEqual([])
  })
})

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('link', { name: 'Tracing keys' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: /create/i }).click()
  const keyText = dialog.getByText(/tk_live_[0-9a-f]{48}/)
  const key = /tk_live_[0-9a-f]{48}/.exec((await keyText.first().textContent()) ?? '')?.[0] ?? ''
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  return key
}

/** Holds the requests that match until they are released. */
async function holdRequests(page: Page, pattern: string) {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    await released
    await route.continue()
  })
  return {
    async release() {
      resolve()
      await page.unrouteAll({ behavior: 'wait' })
    },
  }
}

function ingest(service: RunningService, key: string, name: string): Promise<Response> {
  const started_at = new Date().toISOString()
  return fetch(`${service.api}/traces/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tracing-key': key },
    body: JSON.stringify({ trace_id: name, spans: [{ span_id: 'a', name, started_at }] }),
  })
}
