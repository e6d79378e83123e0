import type { Access } from '@assay/contract/access.ts'
import { allEndpoints } from '@assay/contract/all.ts'
import { type AnyEndpoint, endpointName, replyForm } from '@assay/contract/endpoint.ts'
import { createSampleProject } from '@assay/contract/organizations.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type FuzzedRequest, fuzzedRequest } from './fuzzed-request.ts'
import { addUser, type Tenant } from './people.ts'
import { runningService } from './service-suite.ts'
import type { Credentials } from './started-app.ts'

/*
 * Every endpoint with requests generated from its own schemas. `call` checks each response against the
 * contract; in addition, a server error is never a valid response, except where the specification requires
 * one.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** Total number of random requests; null for a few requests that are the same in each run. */
    fuzzRequests: number | null
  }
}

const service = runningService({ recordsRefusals: false })
let tenant: Tenant
let admin: Awaited<ReturnType<typeof addUser>>

beforeAll(async () => {
  tenant = await service.addTenant()
  admin = await addUser(service.accounts, { superAdmin: true })
})

// Streams do not end, browser flows redirect elsewhere, and a sample project takes no input and writes
// thousands of spans.
const fuzzed = allEndpoints.filter(
  (one) => ['envelope', 'bare', 'otlp'].includes(replyForm(one)) && one !== createSampleProject,
)

describe('a request generated from the schemas gets a response of the contract', () => {
  const requests = inject('fuzzRequests')
  const numRuns = Math.ceil((requests ?? 1000) / fuzzed.length)
  // A change must not fail by chance.
  const parameters = requests === null ? { numRuns, seed: 1 } : { numRuns }

  test.each(fuzzed.map((one) => [endpointName(one), one] as const))(
    '%s',
    async (_name, declared) => {
      await fc.assert(
        fc.asyncProperty(fuzzedRequest(declared), async (request) => {
          const { status } = await send(declared, request)
          expect(status).toBeLessThan(isNamedFailure(declared) ? 600 : 500)
        }),
        parameters,
      )
    },
    700_000,
  )
})

async function send(declared: AnyEndpoint, { query, body, oddParams }: FuzzedRequest) {
  const real: Readonly<Record<string, string>> = {
    orgId: tenant.organizationId,
    projectId: tenant.projectId,
    userId: tenant.members.Viewer.id,
    keyId: tenant.tracingKeyId,
  }
  const params = Object.fromEntries(
    Object.entries(oddParams).map(([name, odd]) => [name, odd ?? real[name] ?? 'none']),
  )
  return await service.call(declared, { params, query, body }, await credentials(declared))
}

/** A new session each time: fuzzed requests may end sessions, revoke keys and remove members. */
async function credentials(declared: AnyEndpoint): Promise<Credentials> {
  const access: Access = declared.access
  if (access.by === 'tracing-key') return { 'x-tracing-key': tenant.legacyKey }
  return access.by === 'session' ? await service.signedIn(admin) : {}
}

/** Declared by the endpoint itself, not implied by its handling of malformed bodies. */
function isNamedFailure({ errors }: AnyEndpoint): boolean {
  return errors?.some((one: string) => one.startsWith('INTERNAL_ERROR')) ?? false
}
