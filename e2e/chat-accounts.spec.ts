import { inviteMember } from '@assay/contract/members.ts'
import { addPlatformAccess } from '@assay/contract/platform.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { lastLinkIn, type SmtpServer, startSmtpServer } from '../server/test/smtp-server.ts'
import { openPage, type WatchedPage } from './browser.ts'
import {
  callAs,
  person,
  type RunningService,
  type SetUpService,
  setUpService,
} from './running-service.ts'
import { closePages, sharedBrowser } from './shared-browser.ts'
import { runOnTwoHosts } from './two-hosts.ts'

/*
 * What concerns accounts is on pages of the tracing product. Where it began in the chat app, it ends there.
 */

const dora = 'dora@team.example'
const newPassword = 'another long password'

describe.skipIf(inject('chromium') === null)('from the sign-in page of the chat app', () => {
  let service: RunningService
  let setUp: SetUpService
  let browser: Browser
  let mails: SmtpServer
  let app: string
  let requested: string
  const opened: WatchedPage[] = []

  beforeAll(async () => {
    mails = await startSmtpServer()
    const env = { ASSAY_SMTP_URL: mails.smtpUrl, ASSAY_MAIL_FROM: 'assay@example.org' }
    const hosts = await runOnTwoHosts(env)
    ;({ service, app } = hosts)
    setUp = await setUpService(service)
    requested = `${hosts.chat}/${setUp.organization.slug}/${setUp.project.slug}?q=returns`
    browser = await sharedBrowser()
  })
  afterEach(closePages)
  afterAll(async () => {
    await service.stop()
    mails.close()
  })

  /** The chat app in a browser without a session. */
  async function openChat(): Promise<Page> {
    const watched = await openPage(browser, app)
    opened.push(watched)
    await watched.page.goto(requested)
    await watched.page.getByRole('button', { name: 'Continue' }).waitFor()
    return watched.page
  }

  const isThere = async (page: Page) => {
    await page.waitForURL(requested)
    await page.getByRole('searchbox', { name: 'Search titles' }).waitFor()
  }

  async function enterAddress(page: Page, email: string = person.email): Promise<void> {
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  }

  async function signIn(page: Page, password: string, email?: string): Promise<void> {
    await enterAddress(page, email)
    await page.getByLabel('Password', { exact: false }).first().fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  async function invite(email: string): Promise<string> {
    const asOwner = callAs(service, setUp)
    const params = { orgId: setUp.organization.id }
    if (email !== dora) await asOwner(addPlatformAccess, { body: { pattern: email } })
    const body = { email, role: 'Viewer' } as const
    const { accept_url } = await asOwner(inviteMember, { params, body })
    expect(lastLinkIn(mails)).toBe(accept_url)
    return accept_url ?? ''
  }

  async function createAccount(page: Page): Promise<void> {
    await page.getByLabel('Your name').fill('Ben')
    await page.getByLabel('Password', { exact: false }).first().fill(person.password)
  }

  test('an invite that is opened instead of a sign-up leads back', async () => {
    const page = await openChat()
    await page.getByRole('link', { name: 'Create one' }).click()
    await page.getByText('If you were invited, open the invite link instead.').waitFor()
    const tab = await page.context().newPage()
    await tab.goto(await invite('ben@team.example'))
    await createAccount(tab)
    await tab.getByRole('button', { name: 'Create account and join' }).click()
    await isThere(tab)
    // Only this invite: the page was not asked for again.
    await tab.goto(app)
    await tab.waitForURL(`${app}/p/${setUp.project.id}/traces`)
  })

  test('a new account leads back', async () => {
    await callAs(service, setUp)(addPlatformAccess, { body: { pattern: dora } })
    const page = await openChat()
    await page.getByRole('link', { name: 'Create one' }).click()
    await createAccount(page)
    await page.getByLabel('E-mail address').fill(dora)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(requested)
    await page.getByText('Project not found').waitFor()
  })

  test('an invite that is accepted with an account leads back', async () => {
    const page = await openChat()
    await page.getByRole('link', { name: 'Create one' }).click()
    await page.getByText('If you were invited, open the invite link instead.').waitFor()
    await page.goto(await invite(dora))
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, person.password, dora)
    await page.getByRole('button', { name: 'Accept invite' }).click()
    await isThere(page)
  })

  test('a new password leads back, also in another browser', async () => {
    const page = await openChat()
    await enterAddress(page)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByRole('button', { name: 'Send link' }).waitFor()
    await page.getByLabel('E-mail address').fill(person.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('Check your e-mail').waitFor()
    await expect.poll(() => lastLinkIn(mails)).toContain(`${app}/choose-password`)
    const another = await openPage(browser, app)
    opened.push(another)
    await another.page.goto(lastLinkIn(mails) ?? '')
    await another.page.getByLabel('New password').first().fill(newPassword)
    await another.page.getByRole('button', { name: 'Change password' }).click()
    await another.page.getByText('Password changed').waitFor()
    await another.page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(another.page, newPassword)
    await isThere(another.page)
    // In the first browser, by the page that requested the link.
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await signIn(page, newPassword)
    await isThere(page)
  })

  test('a link to the chat app never leads to another host', async () => {
    const page = await openChat()
    await page.goto(`${app}/open-chat?next=//evil.example`)
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    expect(new URL(page.url()).origin).toBe(app)
  })

  test('nothing causes errors or violates the content security policy', () => {
    const faults = opened.flatMap((watched) => watched.faults)
    expect(faults.filter((fault) => !/status of 401/.test(fault))).toEqual([])
  })
})
