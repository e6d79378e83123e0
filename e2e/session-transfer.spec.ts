import type { DataOf } from '@assay/contract/endpoint.ts'
import {
  createSessionTransfer,
  redeemSessionTransfer,
  startSessionTransfer,
} from '@assay/contract/session-transfer.ts'
import { readSession } from '@assay/contract/sign-in.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openPage, type WatchedPage } from './browser.ts'
import { type RunningService, type SetUpService, setUpService } from './running-service.ts'
import { closePages, sharedBrowser } from './shared-browser.ts'
import { runOnTwoHosts } from './two-hosts.ts'

/*
 * Session transfer between the products on separate hosts: the pages that create and redeem a code, in
 * browsers that separate the cookies of the two hosts.
 */

const chromium = inject('chromium')

describe.skipIf(chromium === null)('two hosts', () => {
  let service: RunningService
  let setUp: SetUpService
  let browser: Browser
  let app: string
  let chat: string
  const opened: WatchedPage[] = []

  beforeAll(async () => {
    ;({ service, app, chat } = await runOnTwoHosts())
    setUp = await setUpService(service)
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await closePages()
    await service.stop()
  })

  /** A new browser context, signed in at one host or at none. */
  async function newPage(signedInAt?: string): Promise<Page> {
    const cookie = signedInAt === undefined ? undefined : setUp.session.cookie
    const watched = await openPage(browser, signedInAt ?? app, cookie)
    opened.push(watched)
    // A placeholder for the page of the chat product, without any behavior.
    await watched.page.route(`${chat}/session-transfer/redeem`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Chat</h1>' }),
    )
    return watched.page
  }

  /** Calls the host of the open page. */
  function callFrom<
    E extends
      | typeof createSessionTransfer
      | typeof redeemSessionTransfer
      | typeof startSessionTransfer,
  >(
    page: Page,
    { method, path }: E,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly data: DataOf<E> }> {
    return page.evaluate(
      async ([url, how, sent]) => {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(url, {
          method: how,
          ...(sent === '' ? {} : { headers, body: sent }),
        })
        return { status: response.status, data: ((await response.json()) as { data: never }).data }
      },
      [`/api/v1${path}`, method, body === undefined ? '' : JSON.stringify(body)] as const,
    )
  }

  const openHost = (page: Page, origin: string) => page.goto(`${origin}/api/v1/openapi.json`)
  const codeIn = (page: Page) => new URL(page.url()).hash.replace('#code=', '')

  async function isSignedIn(page: Page): Promise<boolean> {
    return await page.evaluate(async (url) => (await fetch(url)).ok, `/api/v1${readSession.path}`)
  }

  /** From chat to the page that creates a code, and back to chat with it. */
  async function fetchCode(page: Page): Promise<string> {
    await openHost(page, chat)
    const { data } = await callFrom(page, startSessionTransfer)
    await page.goto(data.url)
    await page.getByRole('heading', { name: 'Chat' }).waitFor()
    return codeIn(page)
  }

  test('signs in at chat with a code that works once', async () => {
    const page = await newPage(app)
    const code = await fetchCode(page)
    expect(new URL(page.url()).origin).toBe(chat)
    expect(await isSignedIn(page)).toBe(false)
    expect((await callFrom(page, redeemSessionTransfer, { code })).status).toBe(200)
    expect(await isSignedIn(page)).toBe(true)
    expect((await callFrom(page, redeemSessionTransfer, { code })).status).toBe(404)
  })

  test('asks a person without a session to sign in first', async () => {
    const page = await newPage()
    await openHost(page, chat)
    const { data } = await callFrom(page, startSessionTransfer)
    await page.goto(data.url)
    await page.getByLabel('E-mail address').fill(setUp.user.email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Password', { exact: false }).first().fill('a long enough password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Chat' }).waitFor()
    expect((await callFrom(page, redeemSessionTransfer, { code: codeIn(page) })).status).toBe(200)
  })

  test('signs in from chat with a code, and explains that the code works once', async () => {
    const page = await newPage(chat)
    await openHost(page, app)
    const started = await callFrom(page, startSessionTransfer)
    await openHost(page, chat)
    const { state } = started.data
    const { data } = await callFrom(page, createSessionTransfer, { state })
    await page.goto(data.url)
    await page.waitForURL(`${app}/p/**`)
    expect(await isSignedIn(page)).toBe(true)
    await page.goto('about:blank')
    await page.goto(data.url)
    await page.getByText('Could not sign you in from Assay Chat').waitFor()
    await page.getByText('already used').waitFor()
  })

  test('signs in two tabs that start at once', async () => {
    const watched = await openPage(browser, app, setUp.session.cookie)
    opened.push(watched)
    const tabs = [watched.page, await watched.context.newPage()] as const
    // Neither has a cookie when both start.
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    let starting = 0
    await watched.context.route(`**${startSessionTransfer.path}`, async (route) => {
      starting += 1
      await started
      await route.continue()
    })
    const next = `/${setUp.organization.slug}/${setUp.project.slug}`
    for (const tab of tabs) await tab.goto(`${chat}/session-transfer/start?next=${next}`)
    const waiting = () => tabs[0].evaluate<number>(waitingForLocks)
    await expect.poll(async () => starting + (await waiting())).toBe(2)
    start()
    for (const tab of tabs) await tab.waitForURL(chat + next)
  })

  test('refuses a code in another browser, and at the host that did not start the transfer', async () => {
    const code = await fetchCode(await newPage(app))
    const anonymousPage = await newPage()
    await anonymousPage.goto(`${app}/session-transfer/redeem#code=${code}`)
    await anonymousPage.getByText('Could not sign you in from Assay Chat').waitFor()
    expect(await isSignedIn(anonymousPage)).toBe(false)
    await openHost(anonymousPage, chat)
    expect((await callFrom(anonymousPage, redeemSessionTransfer, { code })).status).toBe(404)
    expect(await isSignedIn(anonymousPage)).toBe(false)
  })

  test('creates no code for a link without a started transfer, and explains why', async () => {
    const page = await newPage(app)
    for (const address of ['/session-transfer', '/session-transfer?to=chat&state=made-up']) {
      await page.goto(app + address)
      await page.getByText('Could not open Assay Chat').waitFor()
      await page.getByText('This link is not valid. Open Assay Chat and start').waitFor()
      expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
      expect(new URL(page.url()).origin).toBe(app)
    }
  })

  test('cause no errors and no violation of the content security policy', () => {
    // The browser logs each request that is refused on purpose.
    const faults = opened.flatMap((watched) => watched.faults)
    expect(faults.filter((fault) => !/status of (400|401|404)/.test(fault))).toEqual([])
  })
})

const waitingForLocks = 'navigator.locks.query().then(({ pending }) => pending.length)'
