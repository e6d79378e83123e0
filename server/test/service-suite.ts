import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { UserRow } from '../src/storage/accounts/people-tables.ts'
import { lateBound } from './late-bound.ts'
import type { Tenant } from './people.ts'
import { type Credentials, type Service, type ServiceOptions, startService } from './started-app.ts'

/*
 * What suites of the HTTP interface share. Each function registers hooks of the surrounding file or `describe`.
 */

/** Runs from the first test to the last. A function has the options when what they need is started. */
export function runningService(options: ServiceOptions | (() => ServiceOptions) = {}): Service {
  let service: Service | undefined
  beforeAll(async () => {
    service = await startService(typeof options === 'function' ? options() : options)
  })
  afterAll(() => service?.stop())
  return lateBound(() => service)
}

/** A new one for each test. */
export function tenantPerTest(service: Service): Tenant {
  let tenant: Tenant | undefined
  beforeEach(async () => {
    tenant = await service.addTenant()
  })
  return lateBound(() => tenant)
}

/** Signs the user in before each test. */
export function signedInPerTest(service: Service, user: () => UserRow): Credentials {
  let credentials: Credentials | undefined
  beforeEach(async () => {
    credentials = await service.signedIn(user())
  })
  return lateBound(() => credentials)
}
