import { ingestTrace } from '@assay/contract/ingest.ts'
import { limits } from '@assay/contract/limits.ts'
import {
  createTracingKey,
  listTracingKeys,
  revokeTracingKey,
} from '@assay/contract/tracing-keys.ts'
import { describe, expect, test } from 'vitest'
import { runningService, signedInPerTest, tenantPerTest } from '../../../test/service-suite.ts'
import { newTracingKey } from '../../accounts/tracing-key.ts'

const service = runningService()
const acme = tenantPerTest(service)
const owner = signedInPerTest(service, () => acme.members.Owner)

const inAcme = () => ({ projectId: acme.projectId })

async function ingestedWith(key: string): Promise<{ status: number; message?: string }> {
  const body = {
    trace_id: 'one',
    spans: [{ span_id: 'a', name: 'a', started_at: '2026-01-01T00:00:00Z' }],
  }
  const { status, error } = await service.call(ingestTrace, { body }, { 'x-tracing-key': key })
  return status === 202 ? { status } : { status, message: error.message }
}

describe('the tracing keys of a project', () => {
  test.each<[string, object]>([
    ['live', {}],
    ['live', { environment: 'live' }],
    ['test', { environment: 'test' }],
  ])('POST creates a %s key with body %j: it works, and is shown once', async (kind, body) => {
    const created = await service.call(createTracingKey, { params: inAcme(), body }, owner)
    expect(created.status).toBe(201)
    const { key, ...item } = created.data
    const used = expect.any(String)
    expect(key).toMatch(new RegExp(`^tk_${kind}_[0-9a-f]{48}$`))
    expect(item).toMatchObject({
      key_prefix: `tk_${kind}_`,
      key_hint: key.slice(-4),
      revoked_at: null,
    })
    expect(await ingestedWith(key)).toEqual({ status: 202 })
    const listed = await service.call(listTracingKeys, { params: inAcme() }, owner)
    expect(listed.data).toHaveLength(2)
    expect(listed.data[0]).toEqual({ ...item, last_used_at: used })
    expect(JSON.stringify(listed.data)).not.toContain(key)
  })

  test('POST names the key, and GET says when it was used last', async () => {
    const body = { name: ' Build agents ' }
    const { data } = await service.call(createTracingKey, { params: inAcme(), body }, owner)
    expect(data).toMatchObject({ name: 'Build agents', last_used_at: null })
    await ingestedWith(data.key)
    const listed = await service.call(listTracingKeys, { params: inAcme() }, owner)
    expect(listed.data).toMatchObject([
      { id: data.id, name: 'Build agents', last_used_at: expect.any(String) },
      { id: acme.tracingKeyId, name: 'Tracing key', last_used_at: null },
    ])
  })

  test('POST refuses an empty name and stores nothing', async () => {
    const body = { name: ' ' }
    const refused = await service.call(createTracingKey, { params: inAcme(), body }, owner)
    expect(refused).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } })
    const listed = await service.call(listTracingKeys, { params: inAcme() }, owner)
    expect(listed.data).toHaveLength(1)
  })

  test('DELETE revokes a key from the next request on', async () => {
    const params = { ...inAcme(), keyId: acme.tracingKeyId }
    expect(await ingestedWith(acme.tracingKey)).toEqual({ status: 202 })
    const response = await service.call(revokeTracingKey, { params }, owner)
    expect(response).toMatchObject({ status: 200, data: { status: 'revoked' } })
    const refused = { status: 401, message: 'Invalid or revoked tracing key.' }
    expect(await ingestedWith(acme.tracingKey)).toEqual(refused)
    const listed = await service.call(listTracingKeys, { params: inAcme() }, owner)
    expect(listed.data).toMatchObject([{ id: acme.tracingKeyId, revoked_at: expect.any(String) }])
  })

  test('POST is refused in a project with as many active keys as it can have', async () => {
    const { value: most } = limits.tracingKeysPerProject
    await service.accounts.transaction(async ({ tracingKeys }) => {
      for (let n = 1; n < most; n += 1) {
        const at = '2026-01-01T00:00:00.000Z'
        await tracingKeys.insert(
          newTracingKey(acme.projectId, 'live', acme.members.Owner.id, at).row,
        )
      }
    })
    const create = () => service.call(createTracingKey, { params: inAcme(), body: {} }, owner)
    expect(await create()).toMatchObject({
      status: 409,
      error: {
        code: 'CONFLICT',
        message: 'A project can have at most 1,000 tracing keys. Revoke one first.',
      },
    })
    const params = { ...inAcme(), keyId: acme.tracingKeyId }
    await service.call(revokeTracingKey, { params }, owner)
    const { key } = (await create()).data
    expect(await ingestedWith(key)).toEqual({ status: 202 })
    const refused = { status: 401, message: 'Invalid or revoked tracing key.' }
    expect(await ingestedWith(acme.tracingKey)).toEqual(refused)
    expect(await service.accounts.tracingKeys.list(acme.projectId)).toHaveLength(most)
  })

  // Specification, "Input failures that surface as 500".
  test('DELETE responds with 500 for a key that is unknown, of another project, or already revoked', async () => {
    const other = await service.addTenant()
    const revoke = (keyId: string) =>
      service.call(revokeTracingKey, { params: { ...inAcme(), keyId } }, owner)
    await revoke(acme.tracingKeyId)
    for (const keyId of ['no key', acme.tracingKeyId, other.tracingKeyId]) {
      expect(await revoke(keyId)).toMatchObject({
        status: 500,
        error: { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred.', details: {} },
      })
    }
    expect(await ingestedWith(other.tracingKey)).toEqual({ status: 202 })
  })
})
