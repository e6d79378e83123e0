import { listOrganizations } from '@assay/contract/organizations.ts'
import { signIn } from '@assay/contract/sign-in.ts'
import { linkSso, writeSsoConfig } from '@assay/contract/sso.ts'
import { describe, expect, test } from 'vitest'
import { openBrowser, type TestBrowser } from '../../../test/browser.ts'
import { password, problemPath, ssoSuite } from '../../../test/sso-suite.ts'
import { addSsoTenant, oidcBody } from '../../../test/sso-tenant.ts'
import { commandLineActor } from '../../accounts/audit.ts'
import { admitPerson } from './admit-person.ts'

const sso = ssoSuite()

describe('an existing account', () => {
  test('that somebody else created with the address is not linked, and its password gives no access (CVE-2026-53516)', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const email = `victim@${tenant.domain}`
    await sso.addPerson({ email })
    const { location, browser } = await sso.through(tenant, email)
    expect(location).toBe(problemPath('not_linked'))
    expect(await sso.readCurrentUser(browser)).toBeUndefined()
    const attacker = openBrowser(sso.service)
    expect(await attacker.call(signIn, { body: { email, password } })).toMatchObject({
      status: 200,
    })
    expect((await attacker.call(listOrganizations, {})).data).toEqual([])
    expect(await sso.rolesIn(tenant)).not.toHaveProperty(email)
  })

  test('of a super admin is not linked by an organization’s provider', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const email = `root@${tenant.domain}`
    await sso.addPerson({ email, verified: true, superAdmin: true })
    const { location, browser } = await sso.through(tenant, email)
    expect(location).toBe(problemPath('not_linked'))
    expect(await sso.readCurrentUser(browser)).toBeUndefined()
  })

  test('keeps the page to open when the sign-in is refused', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const { location, browser } = await sso.through(tenant, `ana@${tenant.domain}`, {
      returnTo: '/traces?status=ERROR',
      claims: { email: 'ana@elsewhere.test' },
    })
    expect(location).toBe(`${problemPath('outside_domains')}&next=%2Ftraces%3Fstatus%3DERROR`)
    expect(await sso.readCurrentUser(browser)).toBeUndefined()
  })

  test('is linked once with its password, in the browser of the sign-in', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const email = `ana@${tenant.domain}`
    const ana = await sso.addPerson({ email })
    const { browser } = await sso.through(tenant, email, { returnTo: '/traces' })
    const elsewhere = openBrowser(sso.service)
    const link = (from: TestBrowser, given: string) =>
      from.call(linkSso, { body: { password: given } })
    expect(await link(elsewhere, password)).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
    })
    expect(await link(browser, 'a wrong password')).toMatchObject({
      status: 401,
      error: { code: 'UNAUTHORIZED', message: 'Wrong password.' },
    })
    expect(await sso.readCurrentUser(browser)).toBeUndefined()
    expect(await link(browser, password)).toMatchObject({
      status: 200,
      data: { return_to: '/traces' },
    })
    expect((await sso.readCurrentUser(browser))?.id).toBe(ana.id)
    expect(await link(browser, password)).toMatchObject({ status: 404 })
    const after = await sso.service.accounts.users.find(ana.id)
    expect(after?.email_verified_at).not.toBeNull()
    expect((await sso.readCurrentUser((await sso.through(tenant, email)).browser))?.id).toBe(ana.id)
  })

  test('limits guesses at its password', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const email = `ana@${tenant.domain}`
    await sso.addPerson({ email })
    const { browser } = await sso.through(tenant, email)
    const statuses = []
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const answer = await browser.call(linkSso, { body: { password: 'a guess' } })
      statuses.push(answer.status)
      if (answer.status === 429) expect(answer.error.code).toBe('RATE_LIMITED')
    }
    expect(statuses).toContain(429)
  })

  test('is not linked after ten minutes, nor when the configuration has changed', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const email = `ana@${tenant.domain}`
    await sso.addPerson({ email })
    const late = await sso.through(tenant, email)
    sso.setTime(Date.now() + 10 * 60_000)
    expect(await late.browser.call(linkSso, { body: { password } })).toMatchObject({ status: 404 })
    sso.setTime(undefined)
    const changed = await sso.through(tenant, email)
    const body = oidcBody(sso.provider, tenant.domain)
    await sso.service.call(writeSsoConfig, { ...tenant, body }, tenant.owner)
    expect(await changed.browser.call(linkSso, { body: { password } })).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    })
  })

  test('is not linked with a password that has just changed', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const email = `ana@${tenant.domain}`
    const { id, password_hash } = await sso.addPerson({ email })
    const config = await sso.service.accounts.sso.findByOrganization(tenant.organizationId)
    if (config === undefined) throw new Error('no configuration')
    const providerSignIn = {
      asserted: { issuer: sso.provider.issuer, subject: 'ana', email, name: null },
      config,
      present: { id, password_hash },
      actor: () => commandLineActor,
      at: new Date().toISOString(),
    }
    await sso.service.accounts.users.update(id, { password_hash: 'another' })
    await expect(
      sso.service.accounts.transaction((stores) => admitPerson(providerSignIn, stores)),
    ).rejects.toMatchObject({ problem: 'not_linked' })
  })

  test('is linked when its owner is signed in in the same browser', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const email = `ana@${tenant.domain}`
    const ana = await sso.addPerson({ email })
    const browser = openBrowser(sso.service)
    await browser.call(signIn, { body: { email, password } })
    expect((await sso.through(tenant, email, { browser })).location).toBe('/')
    expect((await sso.readCurrentUser(browser))?.id).toBe(ana.id)
  })

  test('of another person who is signed in in the same browser is not linked', async () => {
    const tenant = await addSsoTenant(sso.service, sso.provider)
    const other = await sso.addPerson({})
    await sso.addPerson({ email: `ana@${tenant.domain}` })
    const browser = openBrowser(sso.service)
    await browser.call(signIn, { body: { email: other.email, password } })
    const { location } = await sso.through(tenant, `ana@${tenant.domain}`, { browser })
    expect(location).toBe(problemPath('not_linked'))
    expect((await sso.readCurrentUser(browser))?.id).toBe(other.id)
  })
})
