import { createHash, verify } from 'node:crypto'
import { canonicalJson } from '@assay/contract/canonical-json.ts'
import { addKeyStatement, readEncryptionKeys } from '@assay/contract/encryption-keys.ts'
import { updateProject } from '@assay/contract/organizations.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { newDeviceKeys } from '../../../../web/chat/src/crypto/device-keys.ts'
import { headAfter, signNew } from '../../../../web/chat/src/crypto/key-statements.ts'
import { type KeyUser, signInKeyUser } from '../../../test/key-directory-suite.ts'
import { addMember, addUser } from '../../../test/people.ts'
import { runningService, tenantPerTest } from '../../../test/service-suite.ts'
import { importPublicKey } from '../../key-directory/public-keys.ts'

/*
 * The key directory over HTTP. "Case" is the number of a fault of similar products.
 */

const service = runningService()
const tenant = tenantPerTest(service)

let ana: KeyUser
beforeEach(async () => {
  ana = await signInKeyUser(service, tenant)
})

const read = async () => (await ana.read()).data

describe('GET /e2e/keys', () => {
  test('has ids, policy and a challenge before the first device, and an empty log', async () => {
    const data = await read()
    expect(data).toMatchObject({
      ...{ ...ana.at, org_id: tenant.organizationId, project_id: tenant.projectId },
      ...{ policy: { mode: 'off' }, members: [], log_head: { size: 0 } },
      me: {
        ...{ user_id: tenant.members.Viewer.id, generation: 1, head: null },
        ...{
          devices: [],
          statements: [],
          fingerprint: expect.stringMatching(/^(\d{5} ){11}\d{5}$/),
        },
      },
    })
    expect(data.challenge.id).not.toBe((await read()).challenge.id)
  })

  test('has the devices in the order of enrollment, with the statements as they were signed', async () => {
    const laptop = await ana.add('enroll')
    const { after } = await ana.next()
    const recovery = await ana.add('recovery', { by: laptop })
    const phone = await ana.add('enroll', { by: recovery })
    await ana.add('revoke', { device: phone, by: recovery })
    const { me, log_head } = await read()
    expect(me.devices.map(({ id, type, status }) => [id, type, status])).toEqual([
      [laptop.id, 'device', 'active'],
      [recovery.id, 'recovery', 'active'],
      [phone.id, 'device', 'revoked'],
    ])
    expect(me.devices.map(({ revoked_at }) => revoked_at !== null)).toEqual([false, false, true])
    expect(new Set(me.devices.map(({ fingerprint }) => fingerprint)).size).toBe(3)
    for (const { fingerprint } of me.devices) expect(fingerprint).toMatch(/^(\d{5} ){7}\d{5}$/)
    expect(me.statements).toHaveLength(4)
    let head: string | null = null
    for (const { statement, sig_new, sig_by } of me.statements) {
      expect(statement.prev).toBe(head)
      head = (await headAfter(statement)).head
      const signer = me.devices.find(({ id }) => id === statement.by)
      expect(isSigned(canonicalJson(statement), signer?.sign_pub ?? '', sig_by)).toBe(true)
      expect(sig_new === null).toBe(statement.type === 'revoke')
    }
    expect([me.head, log_head.size]).toEqual([head, 4])
    expect(me.statements[0] && (await headAfter(me.statements[0].statement))).toEqual(after)
  })

  test('has nothing of other members', async () => {
    await ana.add('enroll')
    const bob = await signInKeyUser(service, tenant, 'Owner')
    const { data } = await bob.read()
    expect(data.me).toMatchObject({ head: null, devices: [], statements: [] })
    expect(data.members).toEqual([])
    expect(data.log_head.size).toBe(1)
  })

  test('is the same on both hosts, where a device can be enrolled on either', async () => {
    const laptop = await ana.add('enroll')
    const parts = await ana.next()
    const device = await newDeviceKeys()
    const body = { ...ana.at, ...(await signNew({ ...parts, type: 'enroll', device, by: laptop })) }
    const sent = await service.call(addKeyStatement, { body, on: 'chat' }, ana.credentials)
    expect(sent.status).toBe(201)
    const { data } = await service.call(
      readEncryptionKeys,
      { query: ana.at, on: 'chat' },
      ana.credentials,
    )
    expect(data.me).toEqual((await read()).me)
  })

  test.each([
    ['org', { project: 'project' }],
    ['project', { org: 'acme' }],
    ['org', { org: '', project: 'project' }],
  ])('requires %s', async (field, query) => {
    const answer = await service.call(readEncryptionKeys, { query }, ana.credentials)
    expect([answer.status, answer.error]).toEqual([
      400,
      { code: 'INVALID_QUERY', message: `${field} is required` },
    ])
  })
})

test('the log has a signed head that continues with each statement of any member', async () => {
  const heads = [(await read()).log_head]
  const bob = await signInKeyUser(service, tenant, 'Owner')
  for (const person of [ana, bob]) {
    await person.add('enroll')
    heads.push((await read()).log_head)
  }
  const statements = [(await read()).me.head, (await bob.read()).data.me.head]
  const ids = new Set(heads.map(({ key_id, public_key }) => `${key_id} ${public_key}`))
  expect(ids.size).toBe(1)
  heads.forEach(({ size, hash, signature, public_key }, at) => {
    const signed = canonicalJson({ v: 1, org: tenant.organizationId, size, hash })
    expect(isSigned(signed, public_key, signature)).toBe(true)
    expect(size).toBe(at)
    const before = heads[at - 1]
    if (before === undefined) return
    const bytes = [before.hash, statements[at - 1] ?? ''].map((one) =>
      Buffer.from(one, 'base64url'),
    )
    expect(hash).toBe(createHash('sha256').update(Buffer.concat(bytes)).digest('base64url'))
  })
})

describe('POST /e2e/keys', () => {
  test('answers with the device, the new head and its position', async () => {
    const parts = await ana.next()
    const device = await newDeviceKeys()
    const signed = await signNew({ ...parts, type: 'enroll', device })
    const { status, data } = await ana.send(signed)
    const { head } = await headAfter(signed.statement)
    expect([status, data]).toEqual([201, { device: device.id, head, seq: 1 }])
  })

  test('a rotated device keeps its id and its place, with other keys', async () => {
    const laptop = await ana.add('enroll')
    const before = await read()
    const rotated = await ana.add('rotate', { device: await newDeviceKeys(laptop.id), by: laptop })
    const { me } = await read()
    const { id, sign_pub, kem_pub } = rotated
    expect(me.devices).toMatchObject([{ id, sign_pub, kem_pub, status: 'active' }])
    expect(me.devices[0]?.created_at).toBe(before.me.devices[0]?.created_at)
    expect(me.fingerprint).not.toBe(before.me.fingerprint)
    await ana.add('enroll', { by: rotated })
  })

  test('case 32: a reset starts a new generation, and revokes all devices and recovery keys', async () => {
    const laptop = await ana.add('enroll')
    await ana.add('recovery', { by: laptop })
    const before = (await read()).me
    const fresh = await ana.add('reset')
    const { me } = await read()
    expect(me.generation).toBe(before.generation + 1)
    expect(me.devices.map(({ status }) => status)).toEqual(['revoked', 'revoked', 'active'])
    expect(me.devices[2]?.id).toBe(fresh.id)
    expect(me.statements).toHaveLength(3)
    expect(me.fingerprint).not.toBe(before.fingerprint)
  })

  test('case 34: a recovery key enrolls a new device after all others are lost; without it, a reset works', async () => {
    const laptop = await ana.add('enroll')
    const recovery = await ana.add('recovery', { by: laptop })
    await ana.add('revoke', { device: laptop, by: laptop })
    const next = await ana.add('enroll', { by: recovery })
    await ana.add('revoke', { device: recovery, by: next })
    await ana.add('revoke', { device: next, by: next })
    expect((await read()).me.generation).toBe(1)
    const fresh = await ana.add('reset')
    await ana.add('enroll', { by: fresh })
    expect((await read()).me.generation).toBe(2)
  })

  test('a recovery key does not count among the 20 devices', async () => {
    const laptop = await ana.add('enroll')
    const recovery = await ana.add('recovery', { by: laptop })
    for (let n = 1; n < 20; n += 1) await ana.add('enroll', { by: recovery })
    await ana.add('recovery', { by: laptop })
    expect((await read()).me.devices).toHaveLength(22)
  })

  test('case 33: of two devices that reset at once, one wins, and the other can after it reads again', async () => {
    await ana.add('enroll')
    const signed = await Promise.all([1, 2, 3].map(async () => newReset()))
    const answers = await Promise.all(signed.map((one) => ana.send(one)))
    const codes = answers.map(({ error }) => error?.code ?? 'added')
    expect(codes.toSorted()).toEqual(['ENROLL_FAILED', 'ENROLL_FAILED', 'added'])
    const { me, log_head } = await read()
    expect([me.generation, me.statements.length, log_head.size]).toEqual([2, 2, 2])
    expect(me.devices.filter(({ status }) => status === 'active')).toHaveLength(1)
    expect((await ana.send(await newReset())).status).toBe(201)
  })

  async function newReset() {
    const parts = await ana.next()
    return await signNew({ ...parts, type: 'reset', device: await newDeviceKeys() })
  }

  test('a body that is not JSON, or not of this shape, is INVALID_BODY and stores nothing', async () => {
    const device = await newDeviceKeys()
    const valid = {
      ...ana.at,
      ...(await signNew({ ...(await ana.next()), type: 'enroll', device })),
    }
    const text = JSON.stringify(valid)
    for (const raw of [
      ...['{', 'null', '[]', text.slice(0, -1), `${text}x`],
      text.replace('"v":1', '"v":2'),
      text.replace('"v":1', '"v":1,"extra":1'),
      text.replace('"sig_by":"', '"sig_by":"='),
      text.replace(/"kem_mac":"[^"]+"/, '"kem_mac":null'),
      text.replace(/"sign_pub":"[^"]+"/, '"sign_pub":"+/"'),
      text.replace(/"org":"[^"]+","project"/, '"project"'),
      text.replace('}', `}${' '.repeat(20_000)}`),
    ]) {
      const { status, error } = await service.call(addKeyStatement, { raw }, ana.credentials)
      expect([status, error.code], raw.slice(0, 300)).toEqual([400, 'INVALID_BODY'])
    }
    expect((await read()).me.statements).toEqual([])
    expect((await service.call(addKeyStatement, { raw: text }, ana.credentials)).status).toBe(201)
  })
})

describe('the policy of a project', () => {
  const params = () => ({ projectId: tenant.projectId })

  test('is set by those who manage the organization, and recorded in the audit log', async () => {
    const admin = await service.signedIn(tenant.members.Admin)
    const body = { encrypted_history: 'required' }
    const { data } = await service.call(updateProject, { params: params(), body }, admin)
    expect(data).toMatchObject({ encrypted_history: 'required', name: 'Project' })
    expect((await read()).policy).toEqual({ mode: 'required' })
    const [event] = await service.query(
      `select details from audit_log where action = 'project.updated' and target_id = '${tenant.projectId}'`,
    )
    expect(JSON.parse(String(event?.['details']))).toMatchObject({ encrypted_history: 'required' })
  })

  test('is not set by others, or to another value', async () => {
    const set = async (encrypted_history: string, role: 'Owner' | 'Editor') => {
      const as = await service.signedIn(tenant.members[role])
      return await service.call(
        updateProject,
        { params: params(), body: { encrypted_history } },
        as,
      )
    }
    expect((await set('required', 'Editor')).status).toBe(403)
    expect((await set('yes', 'Owner')).status).toBe(400)
    expect((await read()).policy).toEqual({ mode: 'off' })
  })

  test('does not prevent enrollment', async () => {
    await ana.add('enroll')
    expect((await read()).me.devices).toHaveLength(1)
  })
})

test('every statement is in the audit log with the label of its device, and no refused one', async () => {
  const laptop = await ana.add('enroll')
  const code = await ana.add('recovery', { by: laptop })
  const rotated = await newDeviceKeys(laptop.id)
  await ana.add('rotate', { device: rotated, by: laptop })
  await ana.add('revoke', { device: code, by: rotated })
  await ana.send(await signNew({ ...(await ana.next()), type: 'enroll', device: laptop }))
  const next = await ana.add('reset')
  const rows = await service.query(
    `select action, target_id, details, actor_id from audit_log where organization_id = '${tenant.organizationId}' order by id`,
  )
  const details = JSON.stringify({ label: 'Laptop' })
  const actor_id = tenant.members.Viewer.id
  expect(rows).toEqual([
    { action: 'encryption_key.enrolled', target_id: laptop.id, details, actor_id },
    { action: 'encryption_key.recovery_added', target_id: code.id, details, actor_id },
    { action: 'encryption_key.rotated', target_id: laptop.id, details, actor_id },
    { action: 'encryption_key.revoked', target_id: code.id, details, actor_id },
    { action: 'encryption_key.reset', target_id: next.id, details, actor_id },
  ])
})

describe('a person', () => {
  test('has a chain of their own in each organization', async () => {
    const other = await service.addTenant()
    const user = tenant.members.Viewer
    await addMember(service.accounts, other.organizationId, user.id, 'Viewer')
    const there = await signInKeyUser(service, {
      ...other,
      members: { ...other.members, Viewer: user },
    })
    await ana.add('enroll')
    expect((await there.read()).data.me.statements).toEqual([])
    await there.add('enroll')
    expect((await read()).me.statements).toHaveLength(1)
  })

  test('who is removed leaves no statements, and their keys stay used', async () => {
    const user = await addUser(service.accounts)
    await addMember(service.accounts, tenant.organizationId, user.id, 'Viewer')
    const members = { ...tenant.members, Viewer: user }
    const leaver = await signInKeyUser(service, { ...tenant, members })
    const device = await leaver.add('enroll')
    await service.query(`delete from users where id = '${user.id}'`)
    const rows = await service.query(`select 1 from key_statements where user_id = '${user.id}'`)
    expect(rows).toEqual([])
    const parts = await ana.next()
    const signed = await signNew({ ...parts, type: 'enroll', device })
    expect((await ana.send(signed)).error?.code).toBe('ENROLL_FAILED')
  })
})

function isSigned(text: string, key: string, signature: string): boolean {
  const publicKey = importPublicKey('Ed25519', key)
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'))
}
