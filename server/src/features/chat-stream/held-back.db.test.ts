import { readdirSync, readFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { listAuditLog } from '@assay/contract/audit-log.ts'
import { type ChatEvent, stopReply } from '@assay/contract/chat-stream.ts'
import { removeProject } from '@assay/contract/organizations.ts'
import { readTrace } from '@assay/contract/traces.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  addChatUser,
  type ChatUser,
  findStart,
  send,
  summary,
  textOf,
  upload,
} from '../../../test/chat-suite.ts'
import {
  compose,
  namedShapes,
  seededRandom,
  tokenShapes,
} from '../../../test/credential-samples.ts'
import { identifierKinds, inventIdentifier } from '../../../test/identifier-samples.ts'
import { readTables } from '../../../test/read-tables.ts'
import { requestsPerTest, runningModel } from '../../../test/scripted-model-suite.ts'
import { runningService } from '../../../test/service-suite.ts'
import { openLog } from '../../platform/log.ts'

const logged: string[] = []
const service = runningService({ log: openLog('debug', (line) => logged.push(line)) })
const model = runningModel()
const calls = requestsPerTest(model)
const random = seededRandom(23)
let ana: ChatUser
let token: string

beforeEach(async () => {
  ana = await addChatUser(service, model)
  token = compose(random, 'ghp_{alphanumeric:36}')
  model.always({ answer: 'Yes.' })
})

async function turn(body: object): Promise<ChatEvent[]> {
  return await (await send(service, ana, body)).all()
}

const heldBack =
  'error: The message was not sent: it contains a credential or a government identifier. Remove it, or send the message anyway.'

/** The findings of a request that is held back: no call, and nothing stored. */
async function findingsOf(body: object) {
  const [before, sent] = [await readTables(service), calls.sent().length]
  const events = await turn(body)
  expect(summary(events)).toEqual(['pii', heldBack])
  expect(await readTables(service)).toEqual(before)
  expect(calls.sent()).toHaveLength(sent)
  expect(JSON.stringify(events)).not.toContain(token)
  return events[0]?.type === 'pii' ? events[0].findings : []
}

const anyway = { overridePiiBlock: true }

describe('a message with a credential or a government identifier', () => {
  test('is held back: exactly pii and error, no call, nothing stored', async () => {
    expect(await findingsOf({ message: `ana@x.org says ${token} and 123-45-6788` })).toMatchObject([
      { category: 'credential', type: 'github_token', start: 15, end: 15 + token.length },
      { category: 'government_id', type: 'us_ssn' },
      { category: 'contact' },
    ])
  })

  test('has at most 100 findings in the event, those that block first', async () => {
    const message = `${'ana@x.org '.repeat(150)} ssn 123-45-6788`
    const findings = await findingsOf({ message })
    expect([findings.length, findings[0]?.type]).toEqual([100, 'us_ssn'])
  })

  test.each([
    ['history', { history: [{ role: 'user', content: 'ssn 449874100' }] }, 'history'],
    ['system', { system: 'ssn 449874100' }, 'system'],
  ])('is held back for its %s, too', async (_part, body, source) => {
    expect(await findingsOf(body)).toMatchObject([{ type: 'us_ssn', source }])
  })

  test('is held back for an attachment', async () => {
    const id = await upload(service, ana, `Deploy with ${token}`)
    expect(await findingsOf({ attachment_ids: [id] })).toMatchObject([
      { type: 'github_token', attachment_id: id },
    ])
  })

  test.each(['a stored message', 'given history', 'an attachment'])(
    'is held back when it ends a token that began in %s',
    async (place) => {
      const [first, rest] = [`Deploy with ${token.slice(0, 20)}`, token.slice(20)]
      const before = async (): Promise<object> => {
        if (place === 'an attachment')
          return { attachment_ids: [await upload(service, ana, first)] }
        if (place === 'given history') return { history: [{ role: 'user', content: first }] }
        return { conversation_id: findStart(await turn({ message: first })).conversation_id }
      }
      expect(await findingsOf({ message: rest, ...(await before()) })).toMatchObject([
        { type: 'github_token', start: 0, end: rest.length },
      ])
    },
  )

  test('is held back as long as it is scanned elsewhere, in another thread', async () => {
    const message = `${'Returns within 30 days. '.repeat(2000)}${token}`
    expect(await findingsOf({ message })).toMatchObject([{ type: 'github_token' }])
  })

  test('chat case 27: comments of scanners in it change nothing', async () => {
    for (const comment of ['secretlint-disable', 'gitleaks:allow', 'pragma: allowlist secret']) {
      expect(await findingsOf({ message: `${comment} ${token}` })).toHaveLength(1)
    }
  })
})

test.each(['Compare S3, EKS and C4.', 'Mail ana@x.org', 'SSNs look like 078-05-1120.'])(
  'chat case 26: a message with nothing that blocks is not held back: %s',
  async (message) => {
    expect(textOf(await turn({ message }))).toBe('Yes.')
  },
)

describe('a message that is sent anyway', () => {
  test('chat case 26: is answered, and the turn continues', async () => {
    const events = await turn({ message: `Is ${token} mine?`, ...anyway })
    expect([textOf(events), summary(events).at(-1)]).toEqual(['Yes.', 'done: stop'])
    const { conversation_id } = findStart(events)
    expect(textOf(await turn({ conversation_id, message: 'And now?' }))).toBe('Yes.')
    expect(calls.sent().at(-1)?.texts).toEqual([`Is ${token} mine?`, 'Yes.', 'And now?'])
  })

  test('is in the audit log with types and counts, once, and without the value', async () => {
    const id = await upload(service, ana, `ssn 449874100, ${token}`)
    const sent = { message: `${token} ssn 123-45-6788`, attachment_ids: [id], ...anyway }
    const { conversation_id } = findStart(await turn(sent))
    await turn({ conversation_id, message: 'And now?', ...anyway })
    const params = { orgId: ana.organizationId }
    const { data } = await service.call(listAuditLog, { params, query: {} }, ana.as)
    const entries = data.filter(({ action }) => action === 'chat_message.sent_anyway')
    expect(entries).toMatchObject([
      { target: { id: ana.projectId }, details: { types: ['github_token: 2', 'us_ssn: 2'] } },
    ])
  })

  test('chat case 27: may repeat the value in history and system, but nothing new', async () => {
    const first = await turn({ message: `Is ${token} mine?`, ...anyway })
    const { conversation_id } = findStart(first)
    const history = [
      { role: 'user', content: `Is ${token} mine?` },
      { role: 'assistant', content: 'Yes.' },
    ]
    const again = { conversation_id, message: 'Sure?', history, system: `Token: ${token}` }
    expect(summary(await turn(again)).at(-1)).toBe('done: stop')
    const other = compose(random, 'ghp_{alphanumeric:36}')
    const withOther = [...history, { role: 'user', content: `And ${other}?` }]
    expect(await findingsOf({ ...again, history: withOther })).toHaveLength(1)
    expect(await findingsOf({ ...again, message: token })).toHaveLength(1)
    expect(await findingsOf({ message: 'Sure?', history })).toHaveLength(1)
  })

  test('may repeat the value of an attachment in history', async () => {
    const id = await upload(service, ana, `Deploy with ${token}`)
    const { conversation_id } = findStart(await turn({ attachment_ids: [id], ...anyway }))
    const history = [{ role: 'user', content: `Deploy with ${token}` }]
    expect(summary(await turn({ conversation_id, history })).at(-1)).toBe('done: stop')
  })

  test('stores approved values as hashes only', async () => {
    const { conversation_id } = findStart(await turn({ message: token, ...anyway }))
    const rows = await service.query(
      `select * from chat_approvals where conversation_id = '${conversation_id}'`,
    )
    expect(rows).toEqual([{ conversation_id, hash: expect.stringMatching(/^[\w-]{43}$/) }])
  })
})

describe('the trace of a turn', () => {
  const traceOf = async (traceId: string) => {
    const params = { projectId: ana.projectId, traceId }
    return (await service.call(readTrace, { params, query: {} }, ana.as)).data
  }

  test('has the turn, its reply and its title, with the conversation as session', async () => {
    model.always(({ body }) => ({ answer: body['stream'] === true ? 'Yes.' : 'Returns' }))
    const { trace_id, conversation_id } = findStart(await turn({ message: 'Hi', system: 'S' }))
    const trace = await traceOf(trace_id)
    expect(trace).toMatchObject({
      ...{ root_name: 'chat', service: 'chat', session_id: conversation_id, user_id: ana.userId },
      ...{ status: 'OK', mode: 'live', tokens_in: 200, tokens_out: 20, cost_usd: 0.0022 },
      ...{ span_count: 3, llm_call_count: 2 },
    })
    const spans = Object.fromEntries(trace.spans.map((span) => [span.name, span]))
    const root = spans['chat']
    expect(root).toMatchObject({
      ...{ kind: 'agent', parent_span_id: null, model: null },
      input: { messages: [{ role: 'user', content: 'Hi' }] },
      output: { messages: [{ role: 'assistant', content: 'Yes.' }] },
    })
    expect(spans['reply']).toMatchObject({
      ...{ kind: 'llm', parent_span_id: root?.span_id, model: 'model-1', cost_usd: 0.0011 },
      input: {
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content: 'Hi' },
        ],
      },
    })
    expect(spans['title']).toMatchObject({ kind: 'llm', parent_span_id: root?.span_id })
  })

  test('of a failed reply is in error, with what came', async () => {
    model.always({ pieces: ['Ye', { error: 'Overloaded.' }] })
    const { trace_id } = findStart(await turn({}))
    const { status, spans } = await traceOf(trace_id)
    expect(status).toBe('ERROR')
    expect(spans.find(({ name }) => name === 'reply')).toMatchObject({
      ...{ status: 'ERROR', output: { messages: [{ role: 'assistant', content: 'Ye' }] } },
    })
  })

  test('of a project that was removed meanwhile is not recorded', async () => {
    model.always(({ body }) =>
      body['stream'] === true ? { pieces: ['Yes', { ending: 'stall' }] } : { answer: 'T' },
    )
    const reply = await send(service, ana)
    const { trace_id, message_id } = await reply.next('start')
    await reply.next('text')
    const { projectId } = ana
    const project = { params: { projectId }, body: { confirm: 'project' } }
    expect((await service.call(removeProject, project, ana.as)).status).toBe(200)
    // Responds when the reply has ended.
    const stopped = await service.call(stopReply, { params: { messageId: message_id } }, ana.as)
    expect(stopped.data).toEqual({ stopped: true })
    expect(await service.telemetry.findTrace(projectId, trace_id)).toBeUndefined()
  })

  test('canary: has no part of an approved value that its provider quotes in an error', async () => {
    const quoted = token.slice(0, -1)
    model.always({ status: 400, message: `Refused: ${quoted}` })
    const events = await turn({ message: `Deploy with ${token}`, ...anyway })
    expect(summary(events).at(-1)).toContain(quoted)
    const trace = await traceOf(findStart(events).trace_id)
    expect(trace.status).toBe('ERROR')
    expect(JSON.stringify(trace)).not.toContain(token.slice(0, 20))
  })

  test('canary: has no credential that its provider writes in an error', async () => {
    model.always({ status: 400, message: `Use ${token}` })
    const trace = await traceOf(findStart(await turn({ message: 'Hello' })).trace_id)
    expect(trace.status).toBe('ERROR')
    expect(JSON.stringify(trace)).not.toContain(token.slice(0, 20))
  })

  test('canary: has no part of an approved value that begins in one message and ends in the next', async () => {
    const [first, rest] = [token.slice(0, 18), token.slice(18)]
    const { conversation_id } = findStart(await turn({ message: `Deploy with ${first}` }))
    const message = `${rest} is the rest`
    expect(summary(await turn({ conversation_id, message }))).toEqual(['pii', heldBack])
    const { trace_id } = findStart(await turn({ conversation_id, message, ...anyway }))
    const trace = JSON.stringify(await traceOf(trace_id))
    expect(trace).toContain('Deploy with …')
    expect(trace).toContain('… is the rest')
    expect([trace.includes(first), trace.includes(rest)]).toEqual([false, false])
  })

  test('canary: has no part of an approved value that its title was asked with', async () => {
    const message = `${'word '.repeat(395)}${token} and more`
    const events = await turn({ message, ...anyway })
    const titleCall = calls.sent().find(({ body }) => body['stream'] !== true)
    const trace = await traceOf(findStart(events).trace_id)
    expect(trace.span_count).toBe(3)
    for (const text of [titleCall?.texts.join() ?? '', JSON.stringify(trace)]) {
      expect(text).toContain('word word')
      expect(text).not.toContain(token.slice(0, 20))
    }
  })

  test('canary: an approved value is in no log, audit entry, finding or trace, also if the model repeats it', async () => {
    model.always(({ texts }) => ({ answer: `You sent ${texts.at(-1)}` }))
    const ssn = '449874100'
    const attachment_ids = [await upload(service, ana, `Deploy with ${token}`)]
    const message = `My ssn ${ssn} and ${token}`
    const first = await turn({ message, attachment_ids, system: token, ...anyway })
    const { conversation_id, trace_id } = findStart(first)
    expect(textOf(first)).toContain(ssn)
    const second = await turn({ conversation_id, message: 'And now?' })
    const traces = [trace_id, findStart(second).trace_id]
    for (const id of traces) {
      const text = JSON.stringify(await traceOf(id))
      expect(text).toContain('My ssn ••••••••• and ')
      expect([text.includes(token), text.includes(ssn)]).toEqual([false, false])
    }
    const tables = await readTables(service)
    const { chat_messages: _, chat_attachments: files, conversations: __, ...others } = tables
    const findings = files?.map((row) => row['findings'])
    const elsewhere = JSON.stringify({ others, findings, logged })
    expect([elsewhere.includes(token), elsewhere.includes(ssn)]).toEqual([false, false])
    const folder = readdirSync(service.dataDir).filter((name) => name.startsWith('telemetry'))
    for (const name of folder) {
      const bytes = readFileSync(joinPath(service.dataDir, name))
      expect([bytes.includes(token), bytes.includes(ssn)]).toEqual([false, false])
    }
  })

  const endAfter = (name: string) =>
    name.endsWith('"') ? '"' : name.startsWith('postgres:') ? '@db.internal' : ''

  test('canary: no value of any kind is in an event, log, audit entry or trace', async () => {
    const named = namedShapes.map(([, shape]) => compose(random, shape).split('=>'))
    const tokens = tokenShapes.map(([, shape]) => compose(random, shape))
    const identifiers = identifierKinds.map((kind) => inventIdentifier(random, kind))
    const lines = [
      ...named.map(([name = '', value = '']) => `${name}${value}${endAfter(name)}`),
      ...tokens.flatMap((value) => [value, `{"log":"with\\n${value}"}`]),
      ...identifierKinds.map(({ word = '' }, at) => `${word} ${identifiers[at]}`),
    ]
    const values = [...named.map(([, value = '']) => value), ...tokens, ...identifiers]
    const message = lines.join('\n\n')
    const events = await turn({ message })
    expect(summary(events)).toEqual(['pii', heldBack])
    const { trace_id } = findStart(await turn({ message, ...anyway }))
    const { chat_messages: _, conversations: __, ...others } = await readTables(service)
    const elsewhere = JSON.stringify({ events, others, logged, trace: await traceOf(trace_id) })
    expect(values.filter((value) => elsewhere.includes(value))).toEqual([])
  })
})
