import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { addAttachment } from '@assay/contract/chat-attachments.ts'
import { type ChatEvent, joinReply } from '@assay/contract/chat-stream.ts'
import {
  listConversations,
  readConversation,
  updateConversation,
} from '@assay/contract/conversations.ts'
import { readEncryptionKeys } from '@assay/contract/encryption-keys.ts'
import { limits } from '@assay/contract/limits.ts'
import { updateProject } from '@assay/contract/organizations.ts'
import { readTrace } from '@assay/contract/traces.ts'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { beginEpoch } from '../../../../web/chat/src/crypto/begin-epoch.ts'
import { type DeviceKeyPairs, newDeviceKeys } from '../../../../web/chat/src/crypto/device-keys.ts'
import { signNew } from '../../../../web/chat/src/crypto/key-statements.ts'
import {
  openConversation,
  openMailboxes,
  openMessage,
  openTitle,
} from '../../../../web/chat/src/crypto/open-conversation.ts'
import { signReadingProof } from '../../../../web/chat/src/crypto/reading-proof.ts'
import { verifyDirectory } from '../../../../web/chat/src/crypto/verify-directory.ts'
import {
  addChatUser,
  addColleague,
  type ChatUser,
  findStart,
  join,
  send,
  textOf,
} from '../../../test/chat-suite.ts'
import { clockAt } from '../../../test/clock-at.ts'
import { type KeyUser, keyUserOf } from '../../../test/key-directory-suite.ts'
import { readTables } from '../../../test/read-tables.ts'
import { runningModel } from '../../../test/scripted-model-suite.ts'
import { runningService } from '../../../test/service-suite.ts'
import { bytesOf, hashOf } from '../../key-directory/chain.ts'

/*
 * Encrypted conversations over HTTP, with what a browser does. "Case" is the number of a fault of similar products.
 */

const start = Date.now()
let now = start
const service = runningService({ clock: clockAt(() => (now += 10)) })
const model = runningModel()
let ana: ChatUser
let keys: KeyUser
let laptop: DeviceKeyPairs
let code: DeviceKeyPairs

beforeEach(async () => {
  now = start
  ana = await addChatUser(service, model)
  model.always({ answer: 'Yes, the canary sings.' })
  await setMode('optional')
  keys = keyUserOf(service, ana.project, ana.as)
  laptop = await keys.add('enroll')
  code = await keys.add('recovery', { by: laptop })
})

async function setMode(encrypted_history: 'off' | 'optional' | 'required') {
  const params = { projectId: ana.projectId }
  await service.call(updateProject, { params, body: { encrypted_history } }, ana.as)
}

async function verified() {
  const { data } = await service.call(readEncryptionKeys, { query: ana.project }, ana.as)
  return await verifyDirectory(data, ana.userId, undefined)
}
const encryption = async (epoch = 1) => (await beginEpoch(epoch, await verified())).encryption
const owner = () => ({ org: ana.organizationId, user: ana.userId })

/** An encrypted conversation with a message and its reply. */
async function begin(body: object = {}) {
  const sent = await send(service, ana, { encryption: await encryption(), ...body })
  const events = await sent.all()
  return { events, ...findStart(events) }
}

async function read(conversationId: string, device = laptop) {
  const args = { params: { conversationId }, query: { device: device.id } }
  const { data } = await service.call(readConversation, args, ana.as)
  return data
}
const open = async (conversationId: string, device = laptop) =>
  await openConversation(await read(conversationId, device), { owner: owner(), device })
const contents = async (conversationId: string, device = laptop) =>
  (await open(conversationId, device)).messages.map(({ content }) => content)

const rename = (conversationId: string, body: object) =>
  service.call(updateConversation, { params: { conversationId }, body }, ana.as)

const outcomeOf = (body: object) =>
  send(service, ana, body).then(
    () => 'accepted',
    (error: Error) => error.message,
  )

/** Of a device, with a new challenge. */
async function proofOf(device: DeviceKeyPairs, messageId: string, as = keys) {
  const { challenge } = (await as.read()).data
  return await signReadingProof(messageId, owner(), device, challenge)
}

/** What a refused message results in; nothing is stored. */
async function refused(body: object) {
  const before = await readTables(service)
  const message = await outcomeOf(body)
  expect(await readTables(service)).toEqual(before)
  return message
}

describe('an encrypted conversation', () => {
  test('streams its reply, and is read with the device and the recovery key only', async () => {
    const { events, conversation_id } = await begin({ message: 'Does the canary sing?' })
    expect(textOf(events)).toBe('Yes, the canary sings.')
    expect(events.at(-1)?.type).toBe('done')
    expect(events.find(({ type }) => type === 'title')).toMatchObject({
      title: 'Does the canary sing?',
    })
    const stored = await read(conversation_id)
    expect(stored).toMatchObject({ encrypted: true, title: '', message_count: 2 })
    expect(stored.messages.map(({ content }) => content)).toEqual(['', ''])
    expect(JSON.stringify(stored)).not.toContain('canary')
    for (const device of [laptop, code]) {
      const opened = await open(conversation_id, device)
      expect(opened.title).toBe('Does the canary sing?')
      expect(opened.messages).toMatchObject([
        { role: 'user', content: 'Does the canary sing?', status: 'complete' },
        { role: 'assistant', content: 'Yes, the canary sings.', tokens_in: 100, tokens_out: 10 },
      ])
    }
    const thief = await keys.add('enroll', { by: laptop })
    expect(
      (await open(conversation_id, thief)).messages.map(({ isUnreadable }) => isUnreadable),
    ).toEqual([true, true])
    const [listed] = (
      await service.call(
        listConversations,
        { query: { ...ana.project, device: laptop.id } },
        ana.as,
      )
    ).data.conversations
    expect(listed && (await openTitle(listed, { owner: owner(), device: laptop }))).toBe(
      'Does the canary sing?',
    )
  })

  test('continues with the context that the browser sends, and answers a message again', async () => {
    const { conversation_id } = await begin({ message: 'My name is Ana.' })
    const history = [
      { role: 'user', content: 'My name is Ana.' },
      { role: 'assistant', content: 'Hello Ana.' },
    ]
    const next = { conversation_id, message: 'Who am I?', history }
    const events = await (await send(service, ana, next)).all()
    expect(model.requests.at(-1)?.texts).toEqual(['My name is Ana.', 'Hello Ana.', 'Who am I?'])
    const { parent_id } = findStart(events)
    model.always({ answer: 'Ana!' })
    const again = { ...next, parent_id, regenerate: true }
    expect(textOf(await (await send(service, ana, again)).all())).toBe('Ana!')
    expect(model.requests.at(-1)?.texts).toEqual(['My name is Ana.', 'Hello Ana.', 'Who am I?'])
    expect((await contents(conversation_id)).slice(2)).toEqual([
      ...['Who am I?', 'Yes, the canary sings.', 'Ana!'],
    ])
    expect(
      await refused({ conversation_id, parent_id, regenerate: true, message: undefined }),
    ).toContain('message is required')
  })

  test('has sealed attachments, whose text the upload did not store', async () => {
    const before = await readTables(service)
    const file = { name: 'terms.txt', bytes: Buffer.from('The canary terms.') }
    const form = new FormData()
    form.append('file', new Blob([file.bytes]), file.name)
    const upload = await fetch(`${service.apiOf(addAttachment)}${addAttachment.path}?store=false`, {
      ...{ method: 'POST', headers: ana.as, body: form },
    })
    const { text, name } = (await upload.json()) as { text: string; name: string }
    expect([upload.status, text]).toEqual([200, 'The canary terms.'])
    expect(await readTables(service)).toEqual(before)
    const facts = { size: file.bytes.length, truncated: true }
    const { conversation_id } = await begin({ attachments: [{ name, text, ...facts }] })
    expect(model.requests.at(-1)?.texts[0]).toContain('The canary terms.')
    const { messages } = await open(conversation_id)
    expect(messages[0]?.attachedTexts).toEqual([
      { name: 'terms.txt', text: 'The canary terms.', ...facts },
    ])
    expect(messages[0]?.attachments).toEqual([
      { id: expect.any(String), name: 'terms.txt', extension: 'txt', chars: 17, ...facts },
    ])
    expect((await read(conversation_id)).messages[0]?.attachments).toEqual([])
  })

  test('is renamed with a sealed title', async () => {
    const { conversation_id } = await begin()
    const params = { conversationId: conversation_id }
    const args = { params, body: { title: 'The canary' } }
    const { status, data } = await service.call(updateConversation, args, ana.as)
    expect([status, data.title]).toEqual([200, ''])
    expect((await open(conversation_id)).title).toBe('The canary')
  })

  test('has a reply that is sealed when it is joined after its end', async () => {
    const { conversation_id, message_id, parent_id } = await begin({ message: 'Hello' })
    const events = await (await join(service, ana, message_id)).all()
    expect(events.map(({ type }) => type)).toEqual(['start', 'sealed', 'usage', 'done'])
    const sealed = events[1] as Extract<ChatEvent, { type: 'sealed' }>
    const { mailboxes } = await read(conversation_id)
    const opened = await openMessage(
      conversation_id,
      { id: message_id, parent_id, role: 'assistant', ...sealed },
      await openMailboxes(mailboxes ?? [], { owner: owner(), device: laptop }),
    )
    expect(opened).toEqual({ content: 'Yes, the canary sings.' })
  })

  test('seals why a reply failed, which may quote the message', async () => {
    model.always({ status: 400, message: 'The canary is not allowed.' })
    const { events, conversation_id, message_id } = await begin()
    const error = events.at(-1)
    expect(error?.type).toBe('error')
    const [, reply] = (await open(conversation_id)).messages
    expect(reply).toMatchObject({ status: 'failed', problem: expect.stringContaining('canary') })
    for (const [table, rows] of Object.entries(await readTables(service))) {
      expect([table, JSON.stringify(rows).includes('canary is')]).toEqual([table, false])
    }
    const joined = await (await join(service, ana, message_id)).all()
    expect(joined.at(-1)).toMatchObject({
      type: 'error',
      message: expect.stringContaining('Open the conversation'),
    })
  })
})

describe('a reply of an encrypted conversation that is being written', () => {
  let finish: PromiseWithResolvers<void>
  beforeEach(() => {
    finish = Promise.withResolvers()
  })

  /** A reply of which a part is written. */
  async function writing(body: object = {}) {
    model.always({ pieces: ['Before. ', { until: finish.promise }, 'After.'] })
    const sent = await send(service, ana, { encryption: await encryption(), ...body })
    const { message_id, conversation_id } = await sent.next('start')
    await sent.next('text')
    return { sent, message_id, conversation_id }
  }

  test('is read by an active device that signs for it, and by nothing else', async () => {
    const phone = await keys.add('enroll', { by: laptop })
    await keys.add('revoke', { device: phone, by: laptop })
    const { message_id: id, sent } = await writing()
    const valid = await proofOf(laptop, id)
    const ben = keyUserOf(service, ana.project, (await addColleague(service, ana)).as)
    const { signature: _, ...unsigned } = valid
    for (const [what, proof] of [
      ['none', {}],
      ['no signature', unsigned],
      ['a revoked device', await proofOf(phone, id)],
      [
        'a revoked device that names another one',
        { ...(await proofOf(phone, id)), device: laptop.id },
      ],
      ['the recovery key', await proofOf(code, id)],
      ['an unknown device', await proofOf(await newDeviceKeys(), id)],
      ['another reply', await proofOf(laptop, ana.userId)],
      ['a challenge of somebody else', await proofOf(laptop, id, ben)],
      ['another nonce', { ...valid, nonce: (await proofOf(laptop, id)).nonce }],
    ] as const) {
      const args = { params: { messageId: id }, query: proof }
      const { status, error } = await service.call(joinReply, args, ana.as)
      expect([what, status, error]).toEqual([
        ...[what, 403],
        { code: 'FORBIDDEN', message: expect.stringContaining('Only an active device') },
      ])
    }
    const joined = await join(service, ana, id, valid)
    expect((await joined.next('text')).delta).toBe('Before. ')
    now += limits.keyChallengeMinutes.value * 60_000
    await expect(join(service, ana, id, valid)).rejects.toThrow('403')
    finish.resolve()
    for (const reader of [joined, sent]) expect(textOf(await reader.all())).toContain('After.')
  })

  test('has no text for a request that repeats the one that began it', async () => {
    const { sent, message_id } = await writing({ client_message_id: 'one' })
    const body = { encryption: await encryption(), client_message_id: 'one' }
    const events = await (await send(service, ana, body)).all()
    expect(events.map(({ type }) => type)).toEqual(['start'])
    expect(findStart(events).message_id).toBe(message_id)
    finish.resolve()
    await sent.all()
  })

  test('ends when another process stores a revocation, and not when it stores an enrollment', async () => {
    const phone = await keys.add('enroll', { by: laptop })
    const { sent } = await writing()
    const tablet = await newDeviceKeys()
    for (const [type, device] of [
      ['enroll', tablet],
      ['revoke', phone],
    ] as const) {
      const { statement, sig_new, sig_by } = await signNew({
        ...(await keys.next()),
        ...{ type, device, by: laptop },
      })
      const bytes = bytesOf(statement)
      await service.accounts.keyDirectory.insertStatement({
        ...{ organization_id: ana.organizationId, user_id: ana.userId, seq: statement.seq },
        ...{ hash: hashOf(bytes), statement: bytes.toString(), sig_new, sig_by },
        created_at: statement.created_at,
      })
    }
    const rest = await sent.all()
    expect(rest.at(-1)).toMatchObject({ type: 'done', finish_reason: 'abort' })
    expect(textOf(rest)).not.toContain('After.')
  })

  test('needs the proof also where another process writes it', async () => {
    const { message_id } = await begin()
    await service.query(
      `update chat_messages set status = 'streaming', running_until = '2999-01-01T00:00:00.000Z'
       where id = '${message_id}' returning id`,
    )
    await expect(join(service, ana, message_id)).rejects.toThrow('403')
    const joined = await join(service, ana, message_id, await proofOf(laptop, message_id))
    expect((await joined.next('start')).message_id).toBe(message_id)
    joined.leave()
  })
})

describe('a new epoch', () => {
  const outOfDate = 'The keys of this conversation are out of date'

  test('is required after a revocation; the revoked device reads only what came before', async () => {
    const phone = await keys.add('enroll', { by: laptop })
    const { conversation_id } = await begin({ message: 'Before' })
    await keys.add('revoke', { device: phone, by: laptop })
    const next = { conversation_id, message: 'After', history: [] }
    expect(await refused(next)).toContain(outOfDate)
    const before = await readTables(service)
    expect((await rename(conversation_id, { title: 'x' })).error.message).toContain(outOfDate)
    expect(await readTables(service)).toEqual(before)
    await (await send(service, ana, { ...next, encryption: await encryption(2) })).all()
    expect((await contents(conversation_id)).filter((_, at) => at % 2 === 0)).toEqual([
      'Before',
      'After',
    ])
    expect((await contents(conversation_id, phone)).filter((_, at) => at % 2 === 0)).toEqual([
      'Before',
      '',
    ])
    expect(await refused({ ...next, encryption: await encryption(2) })).toContain(
      'epoch must be one more',
    )
    await (await send(service, ana, next)).all()
  })

  test('begins with a title when it is due, which the revoked device does not read', async () => {
    const phone = await keys.add('enroll', { by: laptop })
    const { conversation_id } = await begin({ message: 'Before' })
    await keys.add('revoke', { device: phone, by: laptop })
    const renamed = { title: 'After', encryption: await encryption(2) }
    expect((await rename(conversation_id, renamed)).status).toBe(200)
    expect((await open(conversation_id)).title).toBe('After')
    expect((await open(conversation_id, phone)).title).toBe('')
    await (await send(service, ana, { conversation_id, message: 'Next', history: [] })).all()
    expect((await read(conversation_id)).mailboxes).toHaveLength(2)
    const before = await readTables(service)
    for (const [body, message] of [
      [renamed, 'epoch must be one more'],
      [{ encryption: await encryption(3) }, 'needs a title'],
      [{ title: 'x', encryption: { ...(await encryption(3)), keys: [] } }, 'keys must be for'],
    ] as const) {
      expect((await rename(conversation_id, body)).error.message).toContain(message)
    }
    const plain = findStart(await (await send(service, ana)).all()).conversation_id
    expect((await rename(plain, renamed)).error).toMatchObject({ code: 'INVALID_BODY' })
    expect((await readTables(service))['conversation_epochs']).toEqual(
      before['conversation_epochs'],
    )
  })

  test.each<[string, (id: string) => Promise<string>]>([
    ['turn', (conversation_id) => outcomeOf({ conversation_id, message: 'Late', history: [] })],
    ['title', async (id) => (await rename(id, { title: 'Late' })).error?.message ?? 'accepted'],
  ])('is required of a %s when a device is revoked after its check', async (_what, late) => {
    const phone = await keys.add('enroll', { by: laptop })
    const { conversation_id } = await begin()
    const { accounts } = service
    const { transaction } = accounts
    const revoked = Promise.withResolvers<unknown>()
    const interrupted: typeof transaction = async (store) => {
      Object.assign(accounts, { transaction })
      revoked.resolve(await keys.add('revoke', { device: phone, by: laptop }))
      return await transaction(store)
    }
    Object.assign(accounts, { transaction: interrupted })
    expect(await late(conversation_id)).toContain(outOfDate)
    await revoked.promise
    expect((await open(conversation_id)).messages).toHaveLength(2)
  })

  test.each<['revoke' | 'rotate' | 'reset', (phone: DeviceKeyPairs) => Promise<object>]>([
    ['revoke', async (phone) => ({ device: phone, by: laptop })],
    ['rotate', async (phone) => ({ device: await newDeviceKeys(phone.id), by: phone })],
    ['reset', async () => ({})],
  ])(
    'after a %s: a reply that is being written is stopped, and what came is kept',
    async (type, devicesOf) => {
      const phone = await keys.add('enroll', { by: laptop })
      model.always({ pieces: ['Before. ', { until: new Promise(() => undefined) }, 'After.'] })
      const sent = await send(service, ana, { encryption: await encryption() })
      const { conversation_id, message_id } = await sent.next('start')
      await sent.next('text')
      const onPhone = await join(service, ana, message_id, await proofOf(phone, message_id))
      await keys.add(type, await devicesOf(phone))
      for (const reader of [sent, onPhone]) {
        const rest = await reader.all()
        expect(textOf(rest)).not.toContain('After.')
        expect(rest.at(-1)).toMatchObject({ type: 'done', finish_reason: 'abort' })
      }
      const [, reply] = (await open(conversation_id, phone)).messages
      expect(reply).toMatchObject({ status: 'aborted', content: 'Before. ' })
    },
  )

  test('is required after 90 days', async () => {
    const { conversation_id } = await begin()
    const next = { conversation_id, history: [] }
    now += limits.epochDays.value * 86_400_000
    ana = { ...ana, as: await service.signedIn(await userOf(ana.userId)) }
    expect(await refused(next)).toContain(outOfDate)
    await (await send(service, ana, { ...next, encryption: await encryption(2) })).all()
    expect((await read(conversation_id)).mailboxes).toHaveLength(2)
  })

  test('is not for other recipients than the active devices', async () => {
    const whole = await encryption()
    const [first] = whole.keys
    for (const given of [
      [],
      [first],
      [first, first],
      [...whole.keys, { ...first, device: ana.userId }],
    ]) {
      expect(await refused({ encryption: { ...whole, keys: given } })).toContain(
        'keys must be for exactly',
      )
    }
    const smallOrder = { ...whole, mailbox_pub: 'A'.repeat(43) }
    expect(await refused({ encryption: smallOrder })).toContain('mailbox_pub is not a valid key')
  })

  test('of two that begin at once, one is stored', async () => {
    const { conversation_id } = await begin()
    const next = { conversation_id, parent_id: null, history: [], message: 'Both' }
    const bodies = await Promise.all([encryption(2), encryption(2)])
    const sent = bodies.map((one) => send(service, ana, { ...next, encryption: one }))
    const outcomes = await Promise.allSettled(sent.map(async (one) => (await one).all()))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await read(conversation_id)).mailboxes).toHaveLength(2)
    expect((await contents(conversation_id)).filter((text) => text === 'Both')).toHaveLength(1)
  })
})

describe('the setting of the project', () => {
  test('off refuses encryption, and leaves encrypted conversations as they are', async () => {
    const { conversation_id } = await begin()
    await setMode('off')
    expect(await refused({ encryption: await encryption() })).toContain(
      'encryption is not available',
    )
    await (await send(service, ana, { conversation_id, history: [] })).all()
    expect((await open(conversation_id)).messages).toHaveLength(4)
  })

  test('required refuses a conversation that is not encrypted', async () => {
    await setMode('required')
    expect(await refused({})).toContain('This project keeps encrypted history only.')
    await begin()
  })

  test('optional leaves it to the browser', async () => {
    const plain = findStart(await (await send(service, ana)).all())
    expect((await read(plain.conversation_id)).encrypted).toBe(false)
    const { conversation_id } = plain
    expect(await refused({ conversation_id, encryption: await encryption() })).toContain(
      'encryption is for encrypted conversations only',
    )
    const attachments = [{ name: 'a.txt', text: 'x' }]
    expect(await refused({ attachments })).toContain('send attachment_ids')
    const attachment_ids = [ana.userId]
    expect(await refused({ attachment_ids, encryption: await encryption() })).not.toBe('accepted')
  })
})

describe('a credential', () => {
  const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`

  test.each<[string, (text: string) => object]>([
    ['the message', (message) => ({ message })],
    ['an attachment', (text) => ({ attachments: [{ name: 'a.txt', text }] })],
    ['the history', (content) => ({ history: [{ role: 'user', content }] })],
  ])('in %s holds the turn back, and nothing is stored', async (_where, toBody) => {
    const before = await readTables(service)
    const body = { ...toBody(`The key is ${token}`), encryption: await encryption() }
    const events = await (await send(service, ana, body)).all()
    expect(events.map(({ type }) => type)).toEqual(['pii', 'error'])
    expect(await readTables(service)).toEqual(before)
  })

  test('in the name of an attachment is masked before it is sent', async () => {
    await begin({ attachments: [{ name: `${token}.txt`, text: 'Returns' }] })
    const sent = JSON.stringify(model.requests.at(-1)?.body)
    expect(sent).toContain('Attached file ghp_…')
    expect(sent).not.toContain(token)
  })

  test('that was approved may be in the history of the next turn', async () => {
    const message = `The key is ${token}`
    const { conversation_id } = await begin({ message, overridePiiBlock: true })
    const history = [{ role: 'user', content: message }]
    const events = await (await send(service, ana, { conversation_id, history })).all()
    expect(events.at(-1)?.type).toBe('done')
  })
})

test.skipIf(inject('isScaled'))(
  'case 36: nothing of an encrypted conversation is in any file of the data folder',
  async () => {
    model.always({ answer: 'KANARIENVOGEL-reply' })
    const attachments = [{ name: 'KANARIENVOGEL-name.txt', text: 'KANARIENVOGEL-text' }]
    const { conversation_id, events } = await begin({
      message: 'KANARIENVOGEL-message',
      attachments,
    })
    const history = [{ role: 'user', content: 'KANARIENVOGEL-history' }]
    const system = 'KANARIENVOGEL-system'
    const next = { conversation_id, history, system, message: 'KANARIENVOGEL-next' }
    await (await send(service, ana, next)).all()
    const args = {
      params: { conversationId: conversation_id },
      body: { title: 'KANARIENVOGEL-title' },
    }
    await service.call(updateConversation, args, ana.as)
    model.always({ status: 400, message: 'KANARIENVOGEL-problem' })
    await (await send(service, ana, next)).all()
    model.always({ answer: 'Hello.' })
    const plain = await (await send(service, ana, { message: 'BLAUMEISE-control' })).all()
    expect(textOf(events)).toBe('KANARIENVOGEL-reply')
    expect(plain.length).toBeGreaterThan(0)
    const files = filesIn(service.dataDir).map((path) => [path, readFileSync(path)] as const)
    const around = (text: string) =>
      files.flatMap(([path, bytes]) => {
        const at = bytes.indexOf(text)
        return at === -1 ? [] : [`${path}: ${bytes.toString('latin1', at - 40, at + 60)}`]
      })
    expect(around('KANARIENVOGEL')).toEqual([])
    expect(around('BLAUMEISE-control')).not.toEqual([])
  },
)

test('case 36: the trace of a turn has its tokens and cost, and no content', async () => {
  const first = { message: 'KANARIENVOGEL-message', system: 'KANARIENVOGEL-system' }
  const { conversation_id, events } = await begin(first)
  model.always({ status: 400, message: 'KANARIENVOGEL-problem' })
  const failed = await (await send(service, ana, { ...first, conversation_id, history: [] })).all()
  const traces = await Promise.all([events, failed].map(traceOf))
  expect(traces).toMatchObject([
    { status: 'OK', tokens_in: 100, tokens_out: 10, span_count: 2, session_id: conversation_id },
    { status: 'ERROR', span_count: 2, session_id: conversation_id },
  ])
  // Inputs and outputs are stored compressed: a search in the files would miss them.
  for (const { input, output } of traces.flatMap(({ spans }) => spans)) {
    expect([input, output]).toEqual([{}, {}])
  }
  expect(JSON.stringify(traces)).not.toContain('KANARIENVOGEL')
})

async function traceOf(events: readonly ChatEvent[]) {
  const params = { projectId: ana.projectId, traceId: findStart(events).trace_id }
  return (await service.call(readTrace, { params, query: {} }, ana.as)).data
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = joinPath(folder, name)
    return statSync(path).isDirectory() ? filesIn(path) : [path]
  })
}

async function userOf(id: string) {
  const user = await service.accounts.users.find(id)
  if (user === undefined) throw new Error('no such user')
  return user
}
