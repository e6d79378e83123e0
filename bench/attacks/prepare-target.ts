import { type Role, roles } from '@assay/contract/access.ts'
import { call } from '@assay/contract/client.ts'
import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { createEvaluator, createEvaluatorCollection } from '@assay/contract/evaluators.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { inviteMember } from '@assay/contract/members.ts'
import { createOrganization, createProject } from '@assay/contract/organizations.ts'
import { exportLogs, exportMetrics } from '@assay/contract/otlp.ts'
import { addPlatformAccess } from '@assay/contract/platform.ts'
import { signUp } from '@assay/contract/sign-in.ts'
import { listTraces } from '@assay/contract/traces.ts'
import { createTracingKey } from '@assay/contract/tracing-keys.ts'
import { type SetUpService, setUpService } from '../../e2e/running-service.ts'
import { runLoad } from '../run-load.ts'
import { type Headers, stored, type Target } from './attack.ts'
import type { AttackedService } from './attacked-service.ts'
import { logBatch, metricBatch, protobufHeaders, spanBatch } from './batches.ts'
import { fillConversations } from './fill-conversations.ts'
import type { Victim } from './victim.ts'

/*
 * Two organizations with nothing in common on a service that is set up: the victim's, with a little data, and the
 * attackers', with a member of each role and much data.
 */

/** The service trusts one proxy: the two come from different networks. */
const attackersAddress = '198.51.100.7'
const victimAddress = '203.0.113.9'

/** How much the attackers have at scale 1. */
export const storedSizes = {
  /** In traces of 20. */
  spans: 200_000,
  spansPerHugeTrace: limits.spansPerTrace.value,
  signals: limits.otlpRecords.value,
} as const

export interface Prepared {
  readonly target: Target
  readonly victim: Victim
}

export async function prepareTarget(at: AttackedService, scale = 1): Promise<Prepared> {
  const owner = await setUpService(at)
  const as = { headers: owner.session }
  await call(at.api, addPlatformAccess, { body: { pattern: '@example.org' } }, as)
  const victim = await prepareVictim(at, owner, scale)
  const organization = await call(at.api, createOrganization, { body: { name: 'Attackers' } }, as)
  const params = { orgId: organization.id }
  const first = await call(at.api, createProject, { params, body: { name: 'First' } }, as)
  const second = await call(at.api, createProject, { params, body: { name: 'Second' } }, as)
  const inFirst = { params: { projectId: first.id }, body: {} }
  const { key } = await call(at.api, createTracingKey, inFirst, as)
  const members = await addMembers(at, organization.id, owner)
  const credentials = {
    anonymous: fromAttackers({}),
    key: fromAttackers({ 'x-tracing-key': key }),
    viewer: fromAttackers(members.Viewer),
    editor: fromAttackers(members.Editor),
    admin: fromAttackers(members.Admin),
  }
  const target = {
    ...{ api: at.api, chatApi: at.chatApi, organizationId: organization.id, credentials },
    ...{ projectId: first.id, secondProjectId: second.id, scale },
  }
  await fill(at, target)
  await fillConversations(at.queryAccounts, {
    email: 'viewer@example.org',
    projectId: first.id,
    scale,
  })
  await whenSearchable(target)
  return { target, victim }
}

const fromAttackers = (headers: Headers) => ({ ...headers, 'x-forwarded-for': attackersAddress })

async function prepareVictim(
  at: AttackedService,
  owner: SetUpService,
  scale: number,
): Promise<Victim> {
  const key = { 'x-tracing-key': owner.tracing_key }
  const work = { kind: 'fill', spans: 10_000 * scale, days: 3 } as const
  await runLoad({ origin: at.origin, headers: key, clients: 2, seconds: 0, work })
  const email = 'victim@example.org'
  await addMember(at, owner.organization.id, owner, 'Viewer', email)
  return {
    api: at.api,
    projectId: owner.project.id,
    from: { 'x-forwarded-for': victimAddress },
    key,
    session: owner.session,
    signIn: { email, password },
  }
}

async function addMembers(at: AttackedService, organizationId: string, owner: SetUpService) {
  const sessions = await Promise.all(
    roles.map(async (role) => {
      const email = `${role.toLowerCase()}@example.org`
      return [role, await addMember(at, organizationId, owner, role, email)] as const
    }),
  )
  return Object.fromEntries(sessions) as Readonly<Record<Role, Headers>>
}

const password = 'a long enough password'

/** Returns the session of a new account that has accepted an invite. */
async function addMember(
  at: AttackedService,
  orgId: string,
  owner: SetUpService,
  role: Role,
  email: string,
): Promise<Headers> {
  const invite = { params: { orgId }, body: { email, role } }
  const { invite_token } = await call(at.api, inviteMember, invite, { headers: owner.session })
  const response = await fetch(at.api + signUp.path, {
    method: signUp.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, name: role, invite_token }),
  })
  if (response.status !== 201) throw new Error(`sign-up failed: ${await response.text()}`)
  return { cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
}

async function fill(at: AttackedService, target: Target): Promise<void> {
  const { scale } = target
  const { key } = target.credentials
  const work = { kind: 'fill', spans: storedSizes.spans * scale, days: 30 } as const
  await runLoad({ origin: at.origin, headers: key, clients: 4, seconds: 0, work })
  const textOf = (words: number) => 'word '.repeat(words * scale)
  const hugeSpans = storedSizes.spansPerHugeTrace * scale
  await Promise.all(stored.huge.map((traceId) => postSpans(target, traceId, hugeSpans, '')))
  await postSpans(target, stored.wide, limits.spansPage.value, textOf(3000))
  const { traceId, spanId } = stored.largeSpan
  const span = spanBatch(traceId, 0, 1, textOf(6_000_000)).replace('"s0"', `"${spanId}"`)
  await post(target, ingestTrace, span)
  const signals = storedSizes.signals * scale
  await post(target, exportMetrics, metricBatch(stored.metric, 100, signals / 100)('service'))
  await post(target, exportLogs, logBatch(signals)('service'))
  await addEvaluators(target)
}

/** As many and as long ones as the limits allow, at scale 1. */
async function addEvaluators({ api, organizationId: orgId, credentials, scale }: Target) {
  const as = { headers: credentials.editor }
  const tag = 't'.repeat(limits.evaluatorTagLength.value)
  const description = 'd'.repeat(limits.evaluatorDescriptionLength.value)
  const placeholder = '{{output}}'
  const length = limits.promptTemplateLength.value - placeholder.length
  const body = {
    ...({ name: 'Long', category: 'custom', description } as const),
    tags: Array.from({ length: limits.evaluatorTags.value }, () => tag),
    prompt_template: placeholder + 'p'.repeat(length * scale),
  }
  const ids: string[] = []
  const count = Math.ceil(limits.evaluatorsPerOrganization.value * scale)
  for (let n = 0; n < count; n += 1)
    ids.push((await call(api, createEvaluator, { params: { orgId }, body }, as)).id)
  const evaluator_ids = ids.slice(0, limits.evaluatorsPerCollection.value)
  const collection = { name: 'Long', description, evaluator_ids }
  const collections = Math.ceil(limits.collectionsPerOrganization.value * scale)
  for (let n = 0; n < collections; n += 1)
    await call(api, createEvaluatorCollection, { params: { orgId }, body: collection }, as)
}

async function postSpans(target: Target, traceId: string, count: number, text: string) {
  const largest = limits.spansPerIngest.value
  for (let first = 0; first < count; first += largest)
    await post(target, ingestTrace, spanBatch(traceId, first, largest, text))
}

async function post(
  { api, credentials }: Target,
  { path }: AnyEndpoint,
  body: string | Uint8Array,
): Promise<void> {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : protobufHeaders
  const response = await fetch(api + path, {
    method: 'POST',
    headers: { ...credentials.key, ...type },
    body: typeof body === 'string' ? body : Uint8Array.from(body),
  })
  if (!response.ok) throw new Error(`filling failed: ${await response.text()}`)
  await response.arrayBuffer()
}

/** Resolves when the search index has caught up. */
async function whenSearchable({ api, projectId, credentials }: Target): Promise<void> {
  const path = `${api}${listTraces.path.replace('{projectId}', projectId)}?q=no-such-word`
  for (;;) {
    const response = await fetch(path, { headers: credentials.viewer })
    const { meta } = (await response.json()) as { meta?: { search_lag_ms: number } }
    if (meta !== undefined && meta.search_lag_ms < 1000) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
