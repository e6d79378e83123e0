import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { createAlertRule, listAlertEvents } from '@assay/contract/alerts.ts'
import { buildPath } from '@assay/contract/client.ts'
import { readConversation } from '@assay/contract/conversations.ts'
import { readCostRun } from '@assay/contract/cost-runs.ts'
import { readEncryptionKeys } from '@assay/contract/encryption-keys.ts'
import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import { listEvaluatorCollections, listEvaluators } from '@assay/contract/evaluators.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import { listTraces, readSpan, readTrace } from '@assay/contract/traces.ts'
import { expect, test } from 'vitest'
import { newId } from '../src/platform/ids.ts'
import { chatMessageRow, conversationRow, insertRows } from './conversation-rows.ts'
import { costRunRow } from './cost-run-rows.ts'
import type { Tenant } from './people.ts'
import { runningService } from './service-suite.ts'
import type { Credentials } from './started-app.ts'

/*
 * Large responses, over HTTP: complete for their readers, and limited for those that do not read.
 */

const service = runningService()

const ingest = async ({ keyHeader }: Tenant, spanIds: readonly string[], output: string) => {
  const spans = spanIds.map((span_id) => ({
    ...{ span_id, name: 'n', started_at: '2026-05-01T08:00:00Z', output },
  }))
  const sent = await service.call(ingestTrace, { body: { trace_id: 'trace', spans } }, keyHeader)
  expect(sent.status).toBe(202)
}

/** Requests it without reading the body. */
async function request(
  declared: AnyEndpoint,
  { projectId, organizationId: orgId }: Tenant,
  credentials: Credentials,
  query = {},
): Promise<IncomingMessage> {
  const params = { projectId, orgId, traceId: 'trace', spanId: 'a' }
  const url = service.api + buildPath(declared, params, query)
  const [response] = await once(get(url, { headers: credentials, agent: false }), 'response')
  return response as IncomingMessage
}

test('a person who does not read large responses is refused more of them, and nobody else is', async () => {
  const [attacker, victim] = [await service.addTenant(), await service.addTenant()]
  const size = limits.unsentBytesOfUser.value * 0.45
  for (const tenant of [attacker, victim]) await ingest(tenant, ['a'], 'x'.repeat(size))
  const viewer = await service.signedIn(attacker.members.Viewer)
  const read = (declared: AnyEndpoint) => request(declared, attacker, viewer)
  const unread = [await read(readSpan), await read(readSpan)]
  expect(unread.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  for (const declared of [readSpan, readTrace]) {
    const refused = await read(declared)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1'])
    refused.resume()
  }
  const others = [
    await read(listTraces),
    await request(readSpan, attacker, await service.signedIn(attacker.members.Owner)),
    await request(readSpan, victim, await service.signedIn(victim.members.Viewer)),
  ]
  expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  for (const response of others) response.destroy()
  const [first, second] = unread
  expect((await buffer(first!)).length).toBeGreaterThan(size)
  second!.destroy()
  const readAgain = async () => {
    const response = await read(readSpan)
    response.destroy()
    return response.statusCode
  }
  await expect.poll(readAgain).toBe(200)
}, 60_000)

test('a person who does not read long lists of evaluators is refused more of them, and nobody else is', async () => {
  const tenant = await service.addTenant()
  const { organizationId: orgId, projectId } = tenant
  const long = 'x'.repeat(limits.unsentBytesOfUser.value * 0.45)
  const row = { organization_id: orgId, name: 'Long', created_at: '2026-05-01T08:00:00.000Z' }
  const prompt = { category: 'custom', tags: '[]', threshold: 1, prompt_template: long }
  await service.accounts.transaction(async ({ evaluators, evaluatorCollections }) => {
    await evaluators.insert({ ...row, ...prompt, id: newId(), description: '' })
    await evaluatorCollections.insert({ ...row, id: newId(), description: long, evaluatorIds: [] })
  })
  const run = costRunRow(projectId, { agent_config: JSON.stringify(long) })
  await service.accounts.costRuns.insert(run)
  const viewer = await service.signedIn(tenant.members.Viewer)
  const unread = [
    await request(listEvaluators, tenant, viewer),
    await request(listEvaluatorCollections, tenant, viewer),
  ]
  expect(unread.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  const owner = await service.signedIn(tenant.members.Owner)
  const body = { name: 'Silence', metric: 'no_data' } as const
  const { data: rule } = await service.call(createAlertRule, { params: { projectId }, body }, owner)
  const event = { id: newId(), project_id: projectId, rule_id: rule.id, at: row.created_at }
  const delivery = { ...{ id: newId(), project_id: projectId }, event_id: event.id, problem: long }
  await service.accounts.alertEvents.insert(
    { ...event, status: 'firing', value: 0, threshold: null, message: null },
    [
      {
        ...{ ...delivery, channel: 'webhook', recipient_id: null, recipient: 'example.org' },
        ...{ status: 'failed', attempts: 1, updated_at: row.created_at },
      },
    ],
  )
  const params = { orgId, projectId, runId: run.id, ruleId: rule.id }
  for (const declared of [listEvaluators, listEvaluatorCollections, readCostRun, listAlertEvents]) {
    const { status, error } = await service.call(declared, { params }, viewer)
    expect([status, error.code]).toEqual([503, 'INTERNAL_ERROR'])
  }
  const read = await request(listEvaluators, tenant, owner)
  expect(read.statusCode).toBe(200)
  for (const response of [...unread, read]) response.destroy()
}, 60_000)

test('a person who does not read a large key directory is refused more of it, and nobody else is', async () => {
  const tenant = await service.addTenant()
  const { organizationId, members } = tenant
  const organization = await service.accounts.organizations.find(organizationId)
  const query = { org: organization?.slug ?? '', project: 'project' }
  const label = 'x'.repeat(limits.unsentBytesOfUser.value * 0.45)
  for (const role of ['Viewer', 'Owner'] as const) {
    await service.accounts.keyDirectory.insertStatement({
      ...{ organization_id: organizationId, user_id: members[role].id, seq: 1, hash: 'h' },
      ...{ statement: JSON.stringify({ type: 'revoke', label }), sig_new: null, sig_by: 's' },
      created_at: '2026-05-01T08:00:00.000Z',
    })
  }
  const viewer = await service.signedIn(members.Viewer)
  const read = (as: Credentials) => request(readEncryptionKeys, tenant, as, query)
  const unread = [await read(viewer), await read(viewer)]
  expect(unread.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  const { status, error } = await service.call(readEncryptionKeys, { query }, viewer)
  expect([status, error.code]).toEqual([503, 'INTERNAL_ERROR'])
  const other = await read(await service.signedIn(members.Owner))
  expect(other.statusCode).toBe(200)
  for (const response of [...unread, other]) response.destroy()
}, 60_000)

test.each(['identity', 'gzip', 'zstd'] as const)(
  'a large page and a large span arrive as they were sent, with %s encoding',
  async (encoding) => {
    const tenant = await service.addTenant()
    const output = 'ü{"'.repeat(600_000)
    await ingest(tenant, ['a', 'b', 'c'], output)
    const headers = {
      ...(await service.signedIn(tenant.members.Viewer)),
      'accept-encoding': encoding,
    }
    const decode = {
      identity: (bytes: Buffer) => bytes,
      gzip: gunzipSync,
      zstd: zstdDecompressSync,
    }[encoding]
    const readJson = async (declared: AnyEndpoint): Promise<unknown> => {
      const response = await request(declared, tenant, headers)
      const bytes = await buffer(response)
      expect(response.headers['content-encoding'] ?? 'identity').toBe(encoding)
      return JSON.parse(decode(bytes).toString())
    }
    expect(await readJson(readSpan)).toMatchObject({ data: { span_id: 'a', output } })
    expect(await readJson(readTrace)).toMatchObject({
      data: { trace_id: 'trace', spans: [{ span_id: 'a', output }] },
      meta: { pageSize: 1, cursor: expect.any(String) as string },
    })
  },
)

test('a person who does not read a large conversation is refused more of it, and nobody else is', async () => {
  const tenant = await service.addTenant()
  const { projectId, members } = tenant
  const content = 'x'.repeat(limits.unsentBytesOfUser.value * 0.45)
  const readAs = async (role: 'Viewer' | 'Owner') => {
    const row = conversationRow({ project_id: projectId, user_id: members[role].id })
    await insertRows(service, 'conversations', [row])
    await insertRows(service, 'chat_messages', [chatMessageRow(row.id, { content })])
    const as = await service.signedIn(members[role])
    const path = buildPath(readConversation, { conversationId: row.id }, {})
    const url = service.apiOf(readConversation) + path
    return {
      async unread() {
        const [response] = await once(get(url, { headers: as, agent: false }), 'response')
        return response as IncomingMessage
      },
      refused: () => service.call(readConversation, { params: { conversationId: row.id } }, as),
    }
  }
  const viewer = await readAs('Viewer')
  const unread = [await viewer.unread(), await viewer.unread()]
  const { status, error } = await viewer.refused()
  expect([status, error.code]).toEqual([503, 'INTERNAL_ERROR'])
  const other = await (await readAs('Owner')).unread()
  expect(other.statusCode).toBe(200)
  for (const response of [...unread, other]) response.destroy()
}, 60_000)
