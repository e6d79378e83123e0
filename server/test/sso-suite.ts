import type { DataOf } from '@assay/contract/endpoint.ts'
import { listMembers } from '@assay/contract/members.ts'
import { readSession } from '@assay/contract/sign-in.ts'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { hashPassword } from '../src/platform/password-hash.ts'
import type { UserRow } from '../src/storage/accounts/people-tables.ts'
import type { TestBrowser } from './browser.ts'
import { clockAt } from './clock-at.ts'
import { startOidcProvider, type TestOidcProvider } from './oidc-provider.ts'
import { addUser } from './people.ts'
import { type SsoTenant, signInThrough } from './sso-tenant.ts'
import { type Service, startService } from './started-app.ts'

/*
 * What the suites of single sign-on share: a service and an OpenID Connect provider.
 */

/** Of `addPerson`. */
export const password = 'a long enough password'

export const problemPath = (code: string) => `/sign-in?problem=${code}`

export interface SsoSuite {
  readonly service: Service
  readonly provider: TestOidcProvider
  /** Until the end of the test. */
  setTime(at: number | undefined): void
  /** A sign-in through the provider of the tenant. */
  through(
    tenant: Pick<SsoTenant, 'params'>,
    email: string,
    options?: Parameters<typeof signInThrough>[4],
  ): ReturnType<typeof signInThrough>
  readCurrentUser(browser: TestBrowser): Promise<DataOf<typeof readSession>['user'] | undefined>
  addPerson(person: Parameters<typeof addUser>[1]): Promise<UserRow>
  /** Of the members, by address. */
  rolesIn(tenant: SsoTenant): Promise<Readonly<Record<string, string>>>
}

/** Registers the hooks of the file. */
export function ssoSuite(txtRecords?: ReadonlyMap<string, readonly string[]>): SsoSuite {
  let service: Service
  let provider: TestOidcProvider
  let now: number | undefined

  beforeAll(async () => {
    provider = await startOidcProvider()
    service = await startService({
      clock: clockAt(() => now ?? Date.now()),
      ...(txtRecords === undefined ? {} : { txtRecords }),
    })
  })
  afterEach(() => {
    provider.answer()
    now = undefined
  })
  afterAll(async () => {
    await service.stop()
    await provider.stop()
  })

  return {
    get service() {
      return service
    },
    get provider() {
      return provider
    },
    setTime(at) {
      now = at
    },
    through: (tenant, email, options = {}) =>
      signInThrough(service, provider, tenant, email, options),
    async readCurrentUser(browser) {
      const { status, data } = await browser.call(readSession, {})
      return status === 200 ? data.user : undefined
    },
    async addPerson(person) {
      const passwordHash = await hashPassword(password)
      return await addUser(service.accounts, { passwordHash, ...person })
    },
    async rolesIn(tenant) {
      const { data } = await service.call(listMembers, tenant, tenant.owner)
      return Object.fromEntries(data.map(({ email, role }) => [email, role]))
    },
  }
}
