import { ingestTrace } from '@assay/contract/ingest.ts'
import {
  createOrganizationPrice,
  createProjectPrice,
  listOrganizationPrices,
  listProjectPrices,
  removeOrganizationPrice,
  removeProjectPrice,
  resolveOrganizationPrice,
  resolveProjectPrice,
  updateOrganizationPrice,
  updateProjectPrice,
} from '@assay/contract/prices.ts'
import { readSpan } from '@assay/contract/traces.ts'
import { expect } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from './service-suite.ts'

/*
 * What the suites of the prices feature share: a model call to price, and prices of both scopes.
 */

export const startedAt = '2026-10-01T12:00:00.000Z'

export const prices = { input_usd_per_mtok: 100, output_usd_per_mtok: 200 }

const call = {
  name: 'call',
  kind: 'llm',
  started_at: startedAt,
  model: 'gpt-4o',
  tokens_in: 1000,
  tokens_out: 100,
}

/** Registers the hooks of the file. */
export function pricingSuite() {
  const service = runningService()
  const acme = tenantPerTest(service)
  const owner = signedInPerTest(service, () => acme.members.Owner)
  const inOrganization = () => ({ orgId: acme.organizationId })
  const inProject = () => ({ projectId: acme.projectId })

  const scopes = {
    organization: {
      of: inOrganization,
      list: listOrganizationPrices,
      create: createOrganizationPrice,
      update: updateOrganizationPrice,
      remove: removeOrganizationPrice,
      resolve: resolveOrganizationPrice,
    },
    project: {
      of: inProject,
      list: listProjectPrices,
      create: createProjectPrice,
      update: updateProjectPrice,
      remove: removeProjectPrice,
      resolve: resolveProjectPrice,
    },
  } as const

  const getSpan = async (spanId: string, traceId = 'one') => {
    const params = { ...inProject(), traceId, spanId }
    return (await service.call(readSpan, { params }, owner)).data
  }
  const ingest = async (traceId: string, spans: readonly object[]) => {
    const body = { trace_id: traceId, spans: spans.map((span) => ({ ...call, ...span })) }
    expect((await service.call(ingestTrace, { body }, acme.keyHeader)).status).toBe(202)
  }

  return {
    ...{ service, acme, owner, inOrganization, inProject, scopes, ingest, getSpan },
    /** A model call with these fields, as stored. */
    async ingested(span: object, traceId = 'one') {
      await ingest(traceId, [{ span_id: 'a', ...span }])
      return await getSpan('a', traceId)
    },
    /** Sets a price or an alias. */
    create: (scope: keyof typeof scopes, body: object) =>
      service.call(scopes[scope].create, { params: scopes[scope].of(), body }, owner),
  }
}
