import type { DataOf } from '@assay/contract/endpoint.ts'
import {
  createSessionTransfer,
  redeemSessionTransfer,
  startSessionTransfer,
} from '@assay/contract/session-transfer.ts'
import { readSession } from '@assay/contract/sign-in.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '../server/test/free-port.ts'
import { launchBrowser, openPage, type WatchedPage } from './browser.ts'
import {
  type RunningService,
  runService,
  type SetUpService,
  setUpService,
} from './running-service.ts'

/*
 * Going from one product to the other where each has a host of its own: the pages that give and take a session,
 * in browsers that keep the cookies of the two hosts apart.
 */

const chromium = inject('chromium')
const hosts = ['app.localhost', 'chat.localhost'] as const

describe.skipIf(chromium === null)('two hosts', () => {
  let service: RunningService
  let setUp: SetUpService
  let browser: Browser
  let app: string
  let chat: string
  const opened: WatchedPage[] = []

  beforeAll(async () => {
    const [port, chatPort] = [await freePort(), await freePort()]
    app = `http://app.localhost:${port}`
    chat = `http://chat.localhost:${chatPort}`
    const running = await runService({
      port,
      env: {
        ASSAY_CHAT_PORT: String(chatPort),
        ASSAY_BASE_URL: app,
        ASSAY_CHAT_BASE_URL: chat,
      },
    })
    // The names are known to the browser only.
    service = { ...running, api: `http://127.0.0.1:${port}/api/v1` }
    setUp = await setUpService(service)
    browser = await launchBrowser(chromium ?? '', hosts)
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  /** A browser of its own, signed in at one host or at none. */
  async function newPage(signedInAt?: string): Promise<Page> {
    const cookie = signedInAt === undefined ? undefined : setUp.session.cookie
    const watched = await openPage(browser, signedInAt ?? app, cookie)
    opened.push(watched)
    // Stands where the chat product's own page will be: it does nothing by itself.
    await watched.page.route(`${chat}/session-transfer/redeem`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Chat</h1>' }),
    )
    return watched.page
  }

  /** Calls the host whose page is open, as a page of it would. */
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

  /** From chat to the page that gives a code, and back to chat with it. */
  async function fetchCode(page: Page): Promise<string> {
    await openHost(page, chat)
    const { data } = await callFrom(page, startSessionTransfer)
    await page.goto(data.url)
    await page.getByRole('heading', { name: 'Chat' }).waitFor()
    return codeIn(page)
  }

  test('who is signed in at the one is signed in at the other, by a code that counts once', async () => {
    const page = await newPage(app)
    const code = await fetchCode(page)
    expect(new URL(page.url()).origin).toBe(chat)
    expect(await isSignedIn(page)).toBe(false)
    expect((await callFrom(page, redeemSessionTransfer, { code })).status).toBe(200)
    expect(await isSignedIn(page)).toBe(true)
    expect((await callFrom(page, redeemSessionTransfer, { code })).status).toBe(404)
  })

  test('who is signed in at none signs in on the way', async () => {
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
    const begun = await callFrom(page, startSessionTransfer)
    await openHost(page, chat)
    const { state } = begun.data
    const { data } = await callFrom(page, createSessionTransfer, { state })
    await page.goto(data.url)
    await page.waitForURL(`${app}/p/**`)
    expect(await isSignedIn(page)).toBe(true)
    await page.goto('about:blank')
    await page.goto(data.url)
    await page.getByText('Could not sign you in from Assay Chat').waitFor()
    await page.getByText('already used').waitFor()
  })

  test('a code is of no use in another browser, nor at the host that did not begin', async () => {
    const code = await fetchCode(await newPage(app))
    const anonymousPage = await newPage()
    await anonymousPage.goto(`${app}/session-transfer/redeem#code=${code}`)
    await anonymousPage.getByText('Could not sign you in from Assay Chat').waitFor()
    expect(await isSignedIn(anonymousPage)).toBe(false)
    await openHost(anonymousPage, chat)
    expect((await callFrom(anonymousPage, redeemSessionTransfer, { code })).status).toBe(404)
    expect(await isSignedIn(anonymousPage)).toBe(false)
  })

  test('a link that nobody began gives no code and says so', async () => {
    const page = await newPage(app)
    for (const address of ['/session-transfer', '/session-transfer?to=chat&state=made-up']) {
      await page.goto(app + address)
      await page.getByText('Could not open Assay Chat').waitFor()
      expect(new URL(page.url()).origin).toBe(app)
    }
  })

  test('met no error on any page and no breach of the content-security policy', () => {
    // The browser itself reports each refused request that the journeys provoked on purpose.
    const faults = opened.flatMap((watched) => watched.faults)
    expect(faults.filter((fault) => !/status of (400|401|404)/.test(fault))).toEqual([])
  })
})
