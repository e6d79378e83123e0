import { addPlatformAccess } from '@assay/contract/platform.ts'
import { signUp } from '@assay/contract/sign-in.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '../server/test/free-port.ts'
import { openPage } from './browser.ts'
import { oidcClient, type RunningProvider, runOidcProvider } from './identity-providers.ts'
import { callAs } from './running-service.ts'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * The pages of single sign-on, for those who configure it and those who sign in with it, against a provider
 * with its own pages.
 */

const password = 'a long enough password'

describe.skipIf(inject('chromium') === null)('single sign-on on its pages', () => {
  const {
    service,
    setUp,
    browser,
    watched: manager,
    page,
  } = serviceInBrowser({ env: { ASSAY_SSO_ALLOW_NETWORKS: '127.0.0.1' } })
  let provider: RunningProvider

  beforeAll(async () => {
    const callback = `${service.origin}/api/v1/auth/sso/callback/${setUp.organization.id}`
    provider = await runOidcProvider('127.0.0.1', await freePort(), callback)
    await callAs(service, setUp)(addPlatformAccess, { body: { pattern: '@corp.example' } })
  })
  afterAll(() => provider.stop())

  test('shows the values for the provider, and later steps only after saving', async () => {
    await page.goto(`${service.origin}/o/${setUp.organization.id}/settings/single-sign-on`)
    await page.getByText(`/api/v1/auth/sso/callback/${setUp.organization.id}`).waitFor()
    expect(await page.getByText('Save the configuration first.').count()).toBe(3)
    await page.getByText('SAML 2.0', { exact: true }).click()
    await page.getByText('Entity ID (audience)').waitFor()
    await page.getByText('OpenID Connect', { exact: true }).click()
  })

  test('refuses an unusable value at its field, and saves a usable one', async () => {
    await page.getByLabel('Issuer').fill('http://10.0.0.7')
    await page.getByLabel('Client ID').fill(oidcClient.client_id)
    await page.getByLabel('Client secret').first().fill(oidcClient.client_secret)
    await page.getByLabel('E-mail domains').fill('corp.example, other.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.getByLabel('Issuer').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Issuer').fill(provider.origin)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('assay-verification=').first().waitFor()
  })

  test('never shows the secret again', async () => {
    await page.reload()
    await page.getByText('Stored. It cannot be shown again.').waitFor()
    expect(await page.content()).not.toContain(oidcClient.client_secret)
    await page.getByLabel('Issuer').fill('https://elsewhere.example')
    await page.getByText('belongs to the previous issuer').waitFor()
    await page.getByLabel('Issuer').fill(provider.origin)
    await page.getByText('Stored. It cannot be shown again.').waitFor()
  })

  test('allows no test before a domain is verified, and no requirement before a test', async () => {
    const enforce = page.getByRole('switch', { name: 'Require single sign-on' })
    expect(await page.getByRole('button', { name: 'Test sign-in' }).isDisabled()).toBe(true)
    expect(await enforce.isDisabled()).toBe(true)
    await page.getByText('Verify a domain first.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Approve corp.example' }).click()
    await page.getByText('Approved by a super admin').waitFor()
    await page.getByText('Complete the test sign-in yourself first').waitFor()
    expect(await enforce.isDisabled()).toBe(true)
  })

  test('shows the result of a canceled test, and of a successful one', async () => {
    await page.getByRole('button', { name: 'Test sign-in' }).click()
    await page.getByText('[ Cancel ]').click()
    await page.getByText('The test sign-in failed').waitFor()
    await page.getByText('Is your account assigned').waitFor()
    await page.getByRole('button', { name: 'Test sign-in' }).click()
    await atProvider(page, 'tester@corp.example')
    await page.getByText('The test sign-in succeeded').waitFor()
    await page.getByText(setUp.user.email).first().waitFor()
  })

  test('is required after a confirmation that names the domains', async () => {
    const dora = { email: 'dora@corp.example', name: 'Dora', password }
    await callAs(service, setUp)(signUp, { body: dora })
    await page.getByRole('switch', { name: 'Require single sign-on' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('corp.example').waitFor()
    await dialog.getByRole('button', { name: 'Require' }).click()
    await expect
      .poll(() => page.getByRole('switch', { name: 'Require single sign-on' }).isChecked())
      .toBe(true)
  })

  test('warns before a change of the trusted provider', async () => {
    await page.getByLabel('Client ID').fill('another')
    await page.getByText('is no longer required').waitFor()
    await page.getByLabel('Client ID').fill(oidcClient.client_id)
    await expect.poll(() => page.getByText('is no longer required').count()).toBe(0)
  })

  test('is the only option for a new member, and leads to the requested page', async () => {
    const visitor = await openPage(browser, service.origin)
    await visitor.page.goto(`${service.origin}/p/${setUp.project.id}/keys`)
    await visitor.page.getByLabel('E-mail address').fill('carl@corp.example')
    await visitor.page.getByRole('button', { name: 'Continue' }).click()
    const sso = visitor.page.getByRole('button', { name: 'Continue with single sign-on' })
    await sso.waitFor()
    expect(await visitor.page.getByLabel('Password', { exact: false }).count()).toBe(0)
    await visitor.page.getByRole('button', { name: 'Super admin? Use your password' }).waitFor()
    await sso.click()
    await atProvider(visitor.page, 'carl@corp.example')
    await visitor.page.waitForURL(`${service.origin}/p/${setUp.project.id}/keys`)
    await visitor.page.getByText('You are a Viewer of Example').waitFor()
    await visitor.context.close()
  })

  test('leads to the requested page of the chat app', async () => {
    const chat = new URL(service.chatApi).origin
    const conversations = `${chat}/${setUp.organization.slug}/${setUp.project.slug}`
    const visitor = await openPage(browser, chat)
    await visitor.page.goto(conversations)
    await visitor.page.getByLabel('E-mail address').fill('carl@corp.example')
    await visitor.page.getByRole('button', { name: 'Continue' }).click()
    await visitor.page.getByRole('button', { name: 'Continue with single sign-on' }).click()
    await atProvider(visitor.page, 'carl@corp.example')
    await visitor.page.waitForURL(conversations)
    await visitor.page.getByRole('button', { name: /^Project .* switch$/ }).waitFor()
    await visitor.context.close()
  })

  test('explains an address of another domain', async () => {
    const visitor = await openPage(browser, service.origin)
    await visitor.page.goto(`${service.origin}/sign-in`)
    await visitor.page.getByLabel('E-mail address').fill('carl@corp.example')
    await visitor.page.getByRole('button', { name: 'Continue' }).click()
    await visitor.page.getByRole('button', { name: 'Continue with single sign-on' }).click()
    await atProvider(visitor.page, 'carl@elsewhere.example')
    await visitor.page.getByText('outside the domains of your organization').waitFor()
    await visitor.page.getByText('Choose your work account').waitFor()
    await visitor.context.close()
  })

  test('connects an existing account by its password', async () => {
    const visitor = await openPage(browser, service.origin)
    await visitor.page.goto(`${service.origin}/sign-in?next=%2Fprofile`)
    await visitor.page.getByLabel('E-mail address').fill('dora@corp.example')
    await visitor.page.getByRole('button', { name: 'Continue' }).click()
    await visitor.page.getByRole('button', { name: 'Continue with single sign-on' }).click()
    await atProvider(visitor.page, 'dora@corp.example')
    await visitor.page.getByRole('heading', { name: 'Connect your account' }).waitFor()
    const field = visitor.page.getByLabel('Account password').first()
    await field.fill('not my password')
    await visitor.page.getByRole('button', { name: 'Connect and sign in' }).click()
    await visitor.page.getByText('Wrong password.').waitFor()
    await field.fill(password)
    await visitor.page.getByRole('button', { name: 'Connect and sign in' }).click()
    await visitor.page.waitForURL(`${service.origin}/profile`)
    await visitor.page.getByText('You signed in with single sign-on').waitFor()
    await visitor.context.close()
  })

  test('is removed after a confirmation', async () => {
    await page.getByRole('button', { name: 'Remove single sign-on' }).click()
    await page.getByRole('dialog').getByText('the verification of').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => page.getByText('Save the configuration first.').count()).toBe(3)
  })

  test('causes no errors on our pages', () => {
    // Load errors on the provider's pages are ignored.
    const unexpected = manager.faults.filter(
      (fault) => !fault.startsWith('Failed to load resource'),
    )
    expect(unexpected).toEqual([])
  })
})

/** Signs in at the provider, which asks for consent the first time. */
async function atProvider(page: Page, email: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(email)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}
