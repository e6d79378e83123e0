import type { Access } from '@assay/contract/access.ts'
import { allEndpoints } from '@assay/contract/all.ts'
import { type AnyEndpoint, nameOf, replyOf } from '@assay/contract/endpoint.ts'
import { createSampleProject } from '@assay/contract/organizations.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type FuzzedRequest, fuzzedRequest } from './fuzzed-request.ts'
import { addUser, type Tenant } from './people.ts'
import { type Credentials, type Service, startService } from './started-app.ts'

/*
 * Every endpoint under requests made from its own schemas. `ask` holds each answer to the contract;
 * here on top: a server failure is no answer to any request, but where the specification names it.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** How many requests to make in all. */
    fuzzRequests: number
  }
}

let service: Service
let tenant: Tenant
let admin: Awaited<ReturnType<typeof addUser>>

beforeAll(async () => {
  service = await startService()
  tenant = await service.addTenant()
  admin = await addUser(service.accounts, { superAdmin: true })
})
afterAll(() => service.stop())

// Streams do not end, and browser flows lead elsewhere: neither has answers to check here.
// A sample project takes no input to fuzz, and thousands of spans each time.
const fuzzed = allEndpoints.filter(
  (one) => ['envelope', 'bare', 'otlp'].includes(replyOf(one)) && one !== createSampleProject,
)

describe('a request made from the schemas meets an answer of the contract', () => {
  const numRuns = Math.ceil(inject('fuzzRequests') / fuzzed.length)

  test.each(fuzzed.map((one) => [nameOf(one), one] as const))(
    '%s',
    async (_name, declared) => {
      await fc.assert(
        fc.asyncProperty(fuzzedRequest(declared), async (request) => {
          const { status } = await send(declared, request)
          expect(isNamedFailure(declared) || status < 500).toBe(true)
        }),
        { numRuns },
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

/** Signed in anew each time: what is fuzzed may end sessions, revoke keys and remove members. */
async function credentials(declared: AnyEndpoint): Promise<Credentials> {
  const access: Access = declared.access
  if (access.by === 'tracing-key') return { 'x-tracing-key': tenant.legacyKey }
  return access.by === 'session' ? await service.signedIn(admin) : {}
}

/** Declared by the endpoint itself, not implied by what a malformed body gives. */
function isNamedFailure({ errors }: AnyEndpoint): boolean {
  return errors?.some((one: string) => one.startsWith('INTERNAL_ERROR')) ?? false
}
