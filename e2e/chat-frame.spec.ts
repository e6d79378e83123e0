import { createProject } from '@assay/contract/organizations.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { openPage, type WatchedPage } from './browser.ts'
import {
  callAs,
  person,
  type RunningService,
  type SetUpService,
  setUpService,
} from './running-service.ts'
import { closePages, sharedBrowser } from './shared-browser.ts'
import { storeConversations } from './stored-conversations.ts'
import { runOnTwoHosts } from './two-hosts.ts'

/*
 * The frame of the chat app, at a host of its own: sign-in, the way between the products, and the list of conversations.
 */

const count = 120
const titleOf = (at: number) => `Conversation ${String(at).padStart(3, '0')}`

describe.skipIf(inject('chromium') === null)('the chat app', () => {
  let service: RunningService
  let setUp: SetUpService
  let browser: Browser
  let app: string
  let chat: string
  let home: string
  let ids: readonly string[]
  /** The page of the person who is signed in at chat. Most tests share it: another one loads the app again. */
  let signedIn: WatchedPage
  const opened: WatchedPage[] = []

  beforeAll(async () => {
    ;({ service, app, chat } = await runOnTwoHosts())
    setUp = await setUpService(service)
    home = `${chat}/${setUp.organization.slug}/${setUp.project.slug}`
    const hourMs = 3_600_000
    const stored = Array.from({ length: count }, (_, at) => ({
      // One has no title yet.
      title: at === 10 ? '' : titleOf(at),
      updatedAt: new Date(Date.now() - at * hourMs),
    }))
    ids = await storeConversations(service, setUp, stored)
    browser = await sharedBrowser()
    signedIn = await open(chat)
  })
  afterEach(async () => {
    for (const { context } of opened) if (context !== signedIn.context) await context.close()
  })
  afterAll(async () => {
    await closePages()
    await service.stop()
  })

  /** A new browser context, signed in at one host or at none. */
  async function open(signedInAt?: string): Promise<WatchedPage> {
    const cookie = signedInAt === undefined ? undefined : setUp.session.cookie
    const watched = await openPage(browser, signedInAt ?? app, cookie)
    opened.push(watched)
    return watched
  }

  const newPage = async (signedInAt?: string) => (await open(signedInAt)).page

  async function openHome(page: Page = signedIn.page): Promise<Page> {
    await page.goto(home)
    await rowOf(page, titleOf(0)).waitFor()
    await messageFocused(page)
    return page
  }

  const pageOf = (at: number) => `${home}/c/${ids[at]}`
  const rowOf = (page: Page, title: string) => page.getByRole('link', { name: title, exact: true })
  const searchOf = (page: Page) => page.getByRole('searchbox', { name: 'Search titles' })

  /** The field takes the focus when the conversation has loaded, also from what a test has focused before. */
  const messageFocused = (page: Page) => page.locator('textarea:focus').waitFor()

  async function leaveMessage(page: Page): Promise<void> {
    await messageFocused(page)
    await page.evaluate('document.activeElement.blur()')
  }

  async function chooseOption(page: Page, title: string, option: string): Promise<void> {
    await page.getByRole('button', { name: `Options of ${title}`, exact: true }).click()
    await page.getByRole('menuitem', { name: option }).click()
  }

  async function signIn(page: Page, password: string = person.password): Promise<void> {
    const next = page.getByRole('button', { name: 'Continue' })
    // The page for new accounts, which may still be shown, has a field of that label too.
    await next.waitFor()
    await page.getByLabel('E-mail address').fill(person.email)
    await next.click()
    await page.getByLabel('Password', { exact: false }).first().fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  describe('signs in', () => {
    test('with a password, and opens the page that was asked for', async () => {
      const page = await newPage()
      await page.goto(`${pageOf(3)}?q=003`)
      await signIn(page, 'not the password')
      await page.getByText('Invalid e-mail or password.').waitFor()
      await page.getByLabel('Password', { exact: false }).first().fill(person.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${pageOf(3)}?q=003`)
      await rowOf(page, titleOf(3)).waitFor()
      expect(await page.title()).toContain('Assay Chat')
    })

    test('with the session of the tracing product', async () => {
      const page = await newPage(app)
      await page.goto(pageOf(2))
      await page.getByRole('link', { name: 'Continue' }).click()
      await page.waitForURL(pageOf(2))
      await rowOf(page, titleOf(0)).waitFor()
    })

    test('by way of the pages for new accounts, which are on the tracing product', async () => {
      const page = await newPage()
      await page.goto(pageOf(1))
      await page.getByRole('link', { name: 'Create one' }).click()
      await page.waitForURL(`${app}/sign-up?**`)
      await page.getByRole('link', { name: 'Sign in' }).click()
      await signIn(page)
      await page.waitForURL(pageOf(1))
      await rowOf(page, titleOf(0)).waitFor()
    })

    test('nobody before the service is set up, and leads there', async () => {
      const fresh = await runOnTwoHosts()
      const page = await newPage()
      await page.goto(fresh.chat)
      await page.getByText('Assay is not set up yet').waitFor()
      await page.getByRole('link', { name: 'setup page' }).click()
      await page.waitForURL(`${fresh.app}/setup`)
      await page.context().close()
      await fresh.service.stop()
    })

    test('never opens another host afterwards', async () => {
      const { page } = signedIn
      await page.goto(`${chat}/session-transfer/start?next=//evil.example`)
      await page.waitForURL(home)
    })
  })

  describe('and the tracing product', () => {
    test('open each other in the same project, with the same session', async () => {
      const page = await newPage(app)
      const traces = `${app}/p/${setUp.project.id}/traces`
      await page.goto(traces)
      await page.getByRole('link', { name: 'Open chat' }).click()
      await page.waitForURL(home)
      await rowOf(page, titleOf(0)).waitFor()
      await page.getByRole('link', { name: 'Traces' }).click()
      await page.waitForURL(traces)
      await page.goBack()
      await page.waitForURL(home)
      await page.getByText(person.email).click()
      await page.getByRole('menuitem', { name: 'Profile' }).click()
      await page.waitForURL(`${app}/profile`)
    })

    test('transfer the session from chat, also to a browser without one at the other host', async () => {
      const page = await openHome(await newPage(chat))
      await page.getByRole('link', { name: 'Traces' }).click()
      await page.waitForURL(`${app}/p/${setUp.project.id}/traces`)
      await page.getByRole('link', { name: 'Open chat' }).waitFor()
    })

    test('open chat from the command palette', async () => {
      const page = await newPage(app)
      await page.goto(`${app}/p/${setUp.project.id}/dashboard`)
      await page.getByRole('link', { name: 'Open chat' }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
      await page.keyboard.type('open chat')
      await page.keyboard.press('Enter')
      await page.waitForURL(home)
    })
  })

  describe('lists conversations', () => {
    test('page by page, as they are scrolled to, and shows how many are loaded', async () => {
      const page = await openHome()
      const end = (text: string) => page.getByText(text, { exact: true })
      await end('50 loaded').scrollIntoViewIfNeeded()
      await end('100 loaded').scrollIntoViewIfNeeded()
      await end(`${count} in all`).waitFor()
      expect(await page.locator('[data-conversation]').count()).toBe(count)
      await rowOf(page, titleOf(count - 1)).click()
      await page.waitForURL(pageOf(count - 1))
    })

    test('by a part of the title, which stays in the address', async () => {
      const page = await openHome()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('tion 11')
      await page.getByText('10 found').waitFor()
      expect(new URL(page.url()).search).toBe('?q=tion+11')
      await rowOf(page, titleOf(115)).click()
      await page.waitForURL(`${pageOf(115)}?q=tion+11`)
      await page.reload()
      await page.getByText('10 found').waitFor()
      await searchOf(page).fill('no such title')
      await page.getByText('No title contains “no such title”.').waitFor()
      await page.getByRole('button', { name: 'Clear search' }).last().click()
      await rowOf(page, titleOf(0)).waitFor()
      expect(page.url()).toBe(pageOf(115))
    })

    test('and shows why they could not be loaded, with a retry', async () => {
      const { page } = signedIn
      const list = '**/api/v1/chat/conversations?*'
      const error = { code: 'INTERNAL_ERROR', message: 'The disk is full.' }
      await page.route(list, (route) => route.fulfill({ status: 500, json: { error } }))
      await page.goto(home)
      await page.getByText('Conversations could not be loaded: The disk is full.').waitFor()
      await page.unroute(list)
      await page.getByRole('button', { name: 'Retry' }).click()
      await rowOf(page, titleOf(0)).waitFor()
    })

    test('again when the connection is back', async () => {
      const { page } = signedIn
      await page.route('**/api/v1/chat/conversations?*', (route) => route.abort())
      await page.goto(home)
      await page.getByText('Conversations could not be loaded').waitFor()
      await page.unroute('**/api/v1/chat/conversations?*')
      for (const name of ['offline', 'online']) {
        await page.evaluate(`window.dispatchEvent(new Event('${name}'))`)
      }
      await rowOf(page, titleOf(0)).waitFor()
    })

    test('of another project, after switching to it, and back', async () => {
      const params = { orgId: setUp.organization.id }
      const body = { name: 'Second project' }
      const other = await callAs(service, setUp)(createProject, { params, body })
      const page = await openHome()
      await searchOf(page).fill('tion 11')
      await page.getByText('10 found').waitFor()
      await page.getByRole('button', { name: /^Project First project/ }).click()
      await page.getByRole('menuitem', { name: 'Second project' }).click()
      await page.waitForURL(`${chat}/${setUp.organization.slug}/${other.slug}`)
      await page.getByText('No conversations in this project yet.').waitFor()
      expect(await searchOf(page).inputValue()).toBe('')
      await page.goto(chat)
      await page.waitForURL(`${chat}/${setUp.organization.slug}/${other.slug}`)
      await page.goBack()
      await page.goBack()
      await page.getByText('10 found').waitFor()
    })
  })

  describe('changes conversations', () => {
    test('renames one in place', async () => {
      const page = await openHome()
      await chooseOption(page, titleOf(5), 'Rename')
      const input = page.getByRole('textbox', { name: 'Title' })
      await input.fill('not saved')
      await input.press('Escape')
      await chooseOption(page, titleOf(5), 'Rename')
      await input.fill('Refunds 🧾')
      await input.press('Enter')
      await rowOf(page, 'Refunds 🧾').waitFor()
      await page.reload()
      await messageFocused(page)
      await rowOf(page, 'Refunds 🧾').focus()
      await page.keyboard.press('F2')
      await input.fill(titleOf(5))
      await searchOf(page).click()
      await rowOf(page, titleOf(5)).waitFor()
    })

    test('keeps the typed title when it cannot be saved', async () => {
      const page = await openHome()
      const address = `**/api/v1/chat/conversations/${ids[6]}`
      await page.route(address, (route) => route.abort())
      await chooseOption(page, titleOf(6), 'Rename')
      const input = page.getByRole('textbox', { name: 'Title' })
      await input.fill('Kept')
      await input.press('Enter')
      await page.getByText('cannot be reached').waitFor()
      await page.unroute(address)
      expect(await input.inputValue()).toBe('Kept')
      await input.press('Escape')
      await rowOf(page, titleOf(6)).waitFor()
    })

    test('deletes the open one, and restores it with its page', async () => {
      const page = await openHome()
      await page.goto(pageOf(7))
      await messageFocused(page)
      await chooseOption(page, titleOf(7), 'Delete')
      await page.waitForURL(home)
      await page.getByText(`Deleted “${titleOf(7)}”`).waitFor()
      expect(await rowOf(page, titleOf(7)).count()).toBe(0)
      await chooseOption(page, titleOf(8), 'Delete')
      await page.getByText(`Deleted “${titleOf(8)}”`).waitFor()
      // The keyboard is at the button that undoes it.
      await page.keyboard.press('Enter')
      await rowOf(page, titleOf(8)).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.waitForURL(pageOf(7))
      await rowOf(page, titleOf(7)).waitFor()
      expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    })

    test('describes one without a title', async () => {
      const page = await openHome()
      await chooseOption(page, 'Untitled conversation', 'Delete')
      await page.getByText('Deleted “Untitled conversation”').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await rowOf(page, 'Untitled conversation').waitFor()
    })

    test('shows one again that could not be deleted, and why', async () => {
      const page = await openHome()
      const address = `**/api/v1/chat/conversations/${ids[9]}`
      await page.route(address, (route) => route.abort())
      await chooseOption(page, titleOf(9), 'Delete')
      await page.getByText(`Could not delete “${titleOf(9)}”`).waitFor()
      await rowOf(page, titleOf(9)).waitFor()
      await page.unroute(address)
      await page.getByRole('button', { name: 'Dismiss' }).click()
    })
  })

  test('is used with the keyboard alone', async () => {
    const page = await openHome()
    await rowOf(page, titleOf(1)).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(pageOf(2))
    await leaveMessage(page)
    await page.keyboard.press('n')
    await page.waitForURL(home)
    await leaveMessage(page)
    await page.keyboard.press('/')
    await page.keyboard.type('n/')
    expect(await searchOf(page).inputValue()).toBe('n/')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await page.waitForURL(home)
  })

  test('has its list in a drawer at phone width, which closes when a conversation opens', async () => {
    const page = await openHome()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Open the menu' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('link', { name: titleOf(4) }).click()
    await page.waitForURL(pageOf(4))
    await drawer.waitFor({ state: 'hidden' })
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBe(390)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('remembers the color scheme', async () => {
    const page = await openHome(await newPage(chat))
    const scheme = () => page.evaluate('document.documentElement.dataset.mantineColorScheme')
    await page.getByTitle('Dark').click()
    await expect.poll(scheme).toBe('dark')
    await page.reload()
    await rowOf(page, titleOf(0)).waitFor()
    expect(await scheme()).toBe('dark')
  })

  test('explains addresses of nothing, and of projects that one cannot open', async () => {
    const page = await openHome()
    await page.goto(`${chat}/nobody/nothing`)
    await page.getByText('Project not found').waitFor()
    await page.goto(`${chat}/nobody`)
    await page.getByText('Page not found').waitFor()
    await page.goto(`${home}/nothing/at/all`)
    await page.getByText('Page not found').waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.waitForURL(home)
    await page.goto(home.slice(0, home.lastIndexOf('/')))
    await page.waitForURL(home)
  })

  test('signs out in all tabs, which return to their pages after sign-in', async () => {
    const page = await newPage()
    await page.goto(pageOf(1))
    await signIn(page)
    await rowOf(page, titleOf(0)).waitFor()
    const other = await page.context().newPage()
    await other.goto(pageOf(2))
    await rowOf(other, titleOf(0)).waitFor()
    for (const tab of [page, other]) {
      await tab.evaluate("sessionStorage.setItem('assay-chat-draft of a project', 'not sent')")
    }
    await page.getByText(person.email).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail address').waitFor()
    await other.getByLabel('E-mail address').waitFor()
    for (const tab of [page, other]) {
      expect(await tab.evaluate('JSON.stringify(sessionStorage)')).not.toContain('not sent')
    }
    expect(new URL(other.url()).searchParams.get('next')).toBe(new URL(pageOf(2)).pathname)
    await signIn(page)
    await page.waitForURL(home)
    await other.waitForURL(pageOf(2))
  })

  test('causes no errors and no violation of the content security policy', () => {
    // The browser logs each request that is refused on purpose.
    const faults = opened.flatMap((watched) => watched.faults)
    const expected = /status of (401|404|500)|net::ERR_FAILED/
    expect(faults.filter((fault) => !expected.test(fault))).toEqual([])
  })
})
