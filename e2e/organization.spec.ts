import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { openPage, type WatchedPage } from './browser.ts'
import { serviceInBrowser } from './service-in-browser.ts'

/*
 * People in an organization, each in their own browser: from the approved domain to the removed member, and
 * the audit log of it all.
 */

const ana = { email: 'ana@example.org', password: 'a long enough password' }
const ben = { name: 'Ben Weber', email: 'ben@team.example', password: 'another long password' }

describe.skipIf(inject('chromium') === null)('an organization', () => {
  const { service, setUp, browser, watched: ofAna, page: anaPage } = serviceInBrowser()
  let settings: string
  let ofBen: WatchedPage
  let benPage: Page

  beforeAll(async () => {
    settings = `${service.origin}/o/${setUp.organization.id}/settings`
    ofBen = await openPage(browser, service.origin)
    benPage = ofBen.page
  })

  test('refuses to invite an unapproved address, and shows who can approve it', async () => {
    await anaPage.goto(service.origin)
    await anaPage.getByRole('link', { name: 'Settings' }).click()
    await anaPage.getByRole('link', { name: 'Members' }).click()
    await invite(ben.email, 'Editor')
    const dialog = anaPage.getByRole('dialog')
    await dialog.getByText('is not approved for this service').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  test('approves an address and invites it in one step', async () => {
    await invite('guest@elsewhere.example', 'Viewer')
    const dialog = anaPage.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Approve this address and invite' }).click()
    await dialog.getByText('guest@elsewhere.example is invited').waitFor()
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await anaPage.getByRole('link', { name: 'Invites' }).click()
    await anaPage.getByRole('button', { name: 'Revoke guest@elsewhere.example' }).click()
    await dialog.getByRole('button', { name: 'Revoke invite' }).click()
    await anaPage.getByText('No pending invites').waitFor()
    await anaPage.getByRole('link', { name: 'Members' }).click()
  })

  test('invites an address of a domain that a super admin has approved', async () => {
    await anaPage.getByRole('link', { name: 'Platform' }).click()
    await anaPage.getByRole('button', { name: 'Approve' }).first().click()
    const approval = anaPage.getByRole('dialog')
    await approval.getByLabel('Address or domain').fill('team.example')
    await approval.getByRole('button', { name: 'Approve' }).click()
    await anaPage.getByText('@team.example whole domain').waitFor()
    await anaPage.goto(`${settings}/members`)
    const link = await inviteLink(ben.email, 'Editor')
    await anaPage.getByRole('link', { name: 'Invites' }).click()
    await anaPage.getByText('1 pending invite').waitFor()

    await benPage.goto(link)
    await benPage.getByRole('heading', { name: 'Join Example' }).waitFor()
    expect(await benPage.getByLabel('E-mail address').inputValue()).toBe(ben.email)
    await benPage.getByLabel('Your name').fill(ben.name)
    await benPage.getByLabel('Password', { exact: false }).first().fill(ben.password)
    await benPage.getByRole('button', { name: 'Create account and join' }).click()
    await benPage.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
  })

  test('lists the invited person as a member, once', async () => {
    await anaPage.reload()
    await anaPage.getByText('No pending invites').waitFor()
    await anaPage.getByRole('link', { name: 'Members' }).click()
    await anaPage.getByText('2 members').waitFor()
    expect(await anaPage.getByLabel(`Role of ${ben.name}`).inputValue()).toBe('Editor')
    await invite(ben.email, 'Viewer')
    await anaPage.getByRole('dialog').getByText('is already a member of Example').waitFor()
    await anaPage.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  })

  test('offers an Editor only what an Editor can do', async () => {
    await benPage.getByRole('link', { name: 'Settings' }).click()
    await benPage.getByText('You are an Editor of Example').waitFor()
    for (const name of ['Invites', 'Single sign-on', 'Audit log', 'Platform']) {
      expect(await benPage.getByRole('link', { name }).count()).toBe(0)
    }
    await benPage.goto(settings.replace(/\/settings$/, ''))
    await benPage.getByRole('heading', { name: 'Projects' }).waitFor()
    await benPage.getByRole('link', { name: 'Members' }).click()
    await benPage.getByText(ana.email).waitFor()
    expect(await benPage.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(0)
    expect(await benPage.getByRole('combobox').count()).toBe(0)
    for (const page of [
      `${settings}/invites`,
      `${settings}/audit-log`,
      `${service.origin}/platform`,
    ]) {
      await benPage.goto(page)
      await benPage.getByText('No access to this page').waitFor()
    }
  })

  test('does not offer what the service refuses', async () => {
    const role = anaPage.getByLabel(`Role of ${ben.name}`)
    expect(await role.locator('option[value=Owner]').isDisabled()).toBe(true)
    expect(await anaPage.getByRole('button', { name: 'Leave' }).isDisabled()).toBe(true)
    await anaPage.getByText('The last Owner cannot leave.').waitFor()
  })

  test('applies a changed role at once, also in an open page', async () => {
    await changeRole('Admin')
    await benPage.goto(`${settings}/members`)
    await benPage.getByRole('button', { name: 'Invite', exact: true }).click()
    await benPage.getByLabel('E-mail address').fill('cleo@team.example')
    await changeRole('Viewer')
    const dialog = benPage.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByText('Insufficient permissions.').waitFor()
    await benPage.keyboard.press('Escape')
    await benPage.getByText('You are a Viewer of Example').waitFor()
    await expect
      .poll(() => benPage.getByRole('button', { name: 'Invite', exact: true }).count())
      .toBe(0)
  })

  test('shows that an invite is for another address', async () => {
    const link = await inviteLink('cleo@team.example', 'Viewer')
    await benPage.goto(link)
    await benPage.getByText('This invite is for another address').waitFor()
    await benPage.getByRole('link', { name: 'Stay signed in' }).click()
    await benPage.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
    await anaPage.getByRole('link', { name: 'Invites' }).click()
    await anaPage.getByRole('button', { name: 'Revoke cleo@team.example' }).click()
    await anaPage.getByRole('dialog').getByRole('button', { name: 'Revoke invite' }).click()
    await anaPage.getByText('No pending invites').waitFor()
    await benPage.goto(link)
    await benPage.reload()
    await benPage.getByText('Invalid invite').waitFor()
  })

  test('invites an address as soon as a super admin has approved it in the dialog', async () => {
    await invite('dora@elsewhere.example', 'Viewer')
    const dialog = anaPage.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Approve this address and invite' }).click()
    await dialog.getByText('is invited with the role Viewer').waitFor()
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await anaPage.getByRole('button', { name: 'Revoke dora@elsewhere.example' }).click()
    await anaPage.getByRole('dialog').getByRole('button', { name: 'Revoke invite' }).click()
    await anaPage.getByText('No pending invites').waitFor()
  })

  test('signs out a browser when its session is ended from another', async () => {
    const elsewhere = await openPage(browser, service.origin)
    await elsewhere.page.goto(`${service.origin}/profile`)
    await elsewhere.page.waitForURL(/sign-in\?next=/)
    await elsewhere.page.getByLabel('E-mail address').fill(ben.email)
    await elsewhere.page.getByRole('button', { name: 'Continue' }).click()
    await elsewhere.page.getByLabel('Password', { exact: false }).first().fill(ben.password)
    await elsewhere.page.getByRole('button', { name: 'Sign in' }).click()
    await elsewhere.page.getByText('2 sessions').waitFor()

    await benPage.goto(`${service.origin}/profile`)
    await benPage.getByText('2 sessions').waitFor()
    await benPage.getByRole('button', { name: /^End session of/ }).click()
    await benPage.getByText('1 session', { exact: true }).waitFor()
    await elsewhere.page.getByRole('link', { name: 'Tracing keys' }).click()
    await elsewhere.page.waitForURL(/sign-in\?next=/)
    expect(unexpectedIn(elsewhere)).toEqual([])
    await elsewhere.context.close()
  })

  test('changes a password only with the current one, and keeps the session', async () => {
    const form = benPage.locator('form', { hasText: 'Current password' })
    const present = form.getByLabel('Current password').first()
    await present.fill('not my password')
    await form.getByLabel('New password').first().fill(`${ben.password} 2`)
    await form.getByRole('button', { name: 'Change password' }).click()
    await form.getByText('The current password is wrong.').waitFor()
    await present.fill(ben.password)
    await form.getByRole('button', { name: 'Change password' }).click()
    await form.getByText('Your other sessions have ended').waitFor()
    await benPage.reload()
    await benPage.getByText('1 session', { exact: true }).waitFor()
  })

  test("marks a member's address as verified after a confirmation", async () => {
    await anaPage.getByRole('link', { name: 'Members' }).click()
    const mark = anaPage.getByRole('button', { name: `Mark as verified ${ben.name}` })
    await mark.click()
    const dialog = anaPage.getByRole('dialog')
    await dialog.getByText(ben.email).waitFor()
    await dialog.getByRole('button', { name: 'Mark as verified' }).click()
    await mark.waitFor({ state: 'detached' })
  })

  test('locks out a removed member at once', async () => {
    await benPage.getByRole('link', { name: 'Traces', exact: true }).click()
    await benPage.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
    await anaPage.getByRole('link', { name: 'Members' }).click()
    await anaPage.getByRole('button', { name: `Remove ${ben.name}` }).click()
    const dialog = anaPage.getByRole('dialog')
    await dialog.getByText('First project').waitFor()
    await dialog.getByRole('button', { name: 'Remove member' }).click()
    await anaPage.getByText('1 member', { exact: true }).waitFor()
    await benPage.getByRole('link', { name: 'Tracing keys' }).click()
    await benPage.getByText('Project not found').waitFor()
    await benPage.getByRole('link', { name: 'Home' }).click()
    await benPage.getByText('No organization yet').waitFor()
  })

  test('creates a project with a listed key, and deletes it once, after its slug is typed', async () => {
    await anaPage.getByRole('link', { name: 'Projects' }).click()
    await anaPage.getByRole('button', { name: 'New project' }).click()
    await anaPage.getByRole('dialog').getByLabel('Name').fill('Short lived')
    await anaPage.getByRole('button', { name: 'Create project' }).click()
    await anaPage.getByText('Waiting for the first trace').waitFor()
    const key = await anaPage
      .getByRole('region', { name: 'Tracing key' })
      .locator('pre')
      .innerText()
    await anaPage.getByRole('link', { name: 'Tracing keys' }).click()
    await anaPage
      .getByRole('row')
      .filter({ hasText: key.trim().slice(-4) })
      .waitFor()

    const removals: string[] = []
    anaPage.on('request', (request) => {
      if (request.method() === 'DELETE') removals.push(request.url())
    })
    await anaPage.goto(`${settings}/projects`)
    await anaPage.getByRole('button', { name: 'Delete Short lived' }).click()
    const dialog = anaPage.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Delete project' }).isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('short-lived')
    await dialog.getByRole('button', { name: 'Delete project' }).dblclick()
    await anaPage.getByText('1 project', { exact: true }).waitFor()
    expect(removals).toHaveLength(1)
  })

  test('records everything in its audit log, with filters in the URL and an export', async () => {
    await anaPage.getByRole('link', { name: 'Audit log' }).click()
    const rows = anaPage.getByRole('row')
    for (const reported of [
      [ana.email, 'Invite created', `${ben.email} · Editor`],
      [ben.email, 'Invite accepted'],
      [ana.email, 'Member role changed', 'Editor → Admin'],
      [ana.email, 'Member role changed', 'Admin → Viewer'],
      [ana.email, 'Invite revoked', 'cleo@team.example'],
      [ana.email, 'Member removed', ben.email],
      [ana.email, 'Project deleted', 'Short lived'],
    ]) {
      const row = reported.reduce((found, text) => found.filter({ hasText: text }), rows)
      await row.waitFor()
    }
    await anaPage.getByRole('combobox', { name: 'Action' }).fill('accepted')
    await anaPage.getByRole('option', { name: 'Invite accepted' }).click()
    await anaPage.waitForURL(/action=invite\.accepted/)
    await anaPage.getByText('1 entry').waitFor()
    await anaPage.reload()
    await anaPage.getByText('1 entry').waitFor()
    const [download] = await Promise.all([
      anaPage.waitForEvent('download'),
      anaPage.getByRole('link', { name: 'Export results' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { action: 'invite.accepted', actor: { email: ben.email } },
    ])
  })

  test('opens the app instead of the sign-in page for a person with a session', async () => {
    await anaPage.goto(`${service.origin}/sign-in?next=%2Fprofile`)
    await anaPage.waitForURL(`${service.origin}/profile`)
    await anaPage.goto(`${service.origin}/sign-up`)
    await anaPage.waitForURL((url) => !url.pathname.startsWith('/sign'))
  })

  test('refuses a password link that cannot be used as soon as it is opened', async () => {
    await benPage.goto(`${service.origin}/choose-password#token=used`)
    await benPage.getByText('Invalid link').waitFor()
    await benPage.getByText('Ask the operator of this service for a new link.').waitFor()
    expect(await benPage.getByLabel('New password').count()).toBe(0)
    expect(await benPage.getByRole('link', { name: 'Request a new link' }).count()).toBe(0)
  })

  test('causes no errors and no violation of the content security policy', () => {
    expect([...unexpectedIn(ofAna), ...unexpectedIn(ofBen)]).toEqual([])
  })

  async function invite(email: string, role: string): Promise<void> {
    await anaPage.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = anaPage.getByRole('dialog')
    await dialog.getByLabel('E-mail address').fill(email)
    await dialog.getByLabel('Role').selectOption(role)
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  }

  async function inviteLink(email: string, role: string): Promise<string> {
    await invite(email, role)
    const dialog = anaPage.getByRole('dialog')
    const link = await dialog.locator('pre').innerText()
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    return link
  }

  async function changeRole(role: string): Promise<void> {
    await anaPage.getByLabel(`Role of ${ben.name}`).selectOption(role)
    const dialog = anaPage.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => anaPage.getByLabel(`Role of ${ben.name}`).inputValue()).toBe(role)
  }
})

/** The browser logs each request that is refused on purpose. */
function unexpectedIn({ faults }: WatchedPage): readonly string[] {
  return faults.filter((fault) => !/status of (401|403|404|409)/.test(fault))
}
