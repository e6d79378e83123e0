import { addAttachment } from '@assay/contract/chat-attachments.ts'
import { type ChatEvent, chatEvent, joinReply, streamReply } from '@assay/contract/chat-stream.ts'
import { buildPath } from '@assay/contract/client.ts'
import type { ProjectSlugs } from '@assay/contract/fields.ts'
import type { ReadingProof } from '@assay/contract/sealed-history.ts'
import { beforeEach, expect } from 'vitest'
import { lateBound } from './late-bound.ts'
import { addMember, addUser } from './people.ts'
import { readTables } from './read-tables.ts'
import type { ScriptedModel, Step } from './scripted-model.ts'
import { addModelConfig, requestsPerTest, runningModel } from './scripted-model-suite.ts'
import { runningService } from './service-suite.ts'
import type { Credentials, Service, ServiceOptions } from './started-app.ts'

/*
 * What suites of the chat product share: a person with a model, and the events of replies.
 */

export interface ChatUser {
  readonly as: Credentials
  readonly userId: string
  readonly organizationId: string
  readonly projectId: string
  /** The slugs, for the body. */
  readonly project: ProjectSlugs
  readonly modelConfigId: string
}

/** A new person, the owner of an organization with a project and the model. */
export async function addChatUser(service: Service, model: ScriptedModel): Promise<ChatUser> {
  const { organizationId, projectId, members } = await service.addTenant()
  const as = await service.signedIn(members.Owner)
  const [row] = await service.query(`select slug from organizations where id = '${organizationId}'`)
  const modelConfigId = await addModelConfig(service, model, { orgId: organizationId, as })
  const project = { org: String(row?.['slug']), project: 'project' }
  return { as, userId: members.Owner.id, organizationId, projectId, project, modelConfigId }
}

/**
 * A service, a model, and for each test a person: Ana. Registers the hooks of the surrounding file. Without `step`, the
 * test says what the model answers.
 */
export function chatSuite(step?: Step, options: ServiceOptions = {}) {
  const service = runningService(options)
  const model = runningModel()
  const calls = requestsPerTest(model)
  let user: ChatUser | undefined
  beforeEach(async () => {
    user = await addChatUser(service, model)
    if (step !== undefined) model.always(step)
  })
  const ana: ChatUser = lateBound(() => user)

  /** Sends a message and reads the whole reply. */
  async function turn(body: object = {}, as = ana) {
    const events = await (await send(service, as, body)).all()
    return { events, ...findStart(events) }
  }

  /** The refusal of a message before the stream, which stores nothing. */
  async function refused(body: object, as = ana) {
    const before = await readTables(service)
    const sent = { body: { ...as.project, message: 'Hello', ...body } }
    const { status, error } = await service.call(streamReply, sent, as.as)
    expect(await readTables(service)).toEqual(before)
    return { status, ...error }
  }

  const rowOf = async (messageId: string) =>
    (await service.query(`select * from chat_messages where id = '${messageId}'`))[0]

  return { service, model, calls, ana, turn, refused, rowOf }
}

/** Another member of the same organization. */
export async function addColleague(service: Service, user: ChatUser): Promise<ChatUser> {
  const colleague = await addUser(service.accounts)
  await addMember(service.accounts, user.organizationId, colleague.id, 'Viewer')
  return { ...user, as: await service.signedIn(colleague), userId: colleague.id }
}

export interface OpenReply {
  readonly status: number
  readonly headers: Headers
  /** Each event that has come, and those that come. Use it once. */
  readonly events: AsyncGenerator<ChatEvent>
  /** All events, when the stream has ended. Instead of `events`. */
  all(): Promise<ChatEvent[]>
  /** The next event of the type, and those before it are skipped. */
  next<Type extends ChatEvent['type']>(type: Type): Promise<Extract<ChatEvent, { type: Type }>>
  /** Closes the connection. */
  leave(): void
}

async function openStream(
  service: Service,
  path: string,
  as: Credentials,
  body?: object,
): Promise<OpenReply> {
  const client = new AbortController()
  const response = await fetch(service.apiOf(streamReply) + path, {
    signal: client.signal,
    ...(body === undefined
      ? { headers: as }
      : { method: 'POST', headers: { ...as, 'content-type': 'application/json' } }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  const events = readEvents(response)
  return {
    ...{ status: response.status, headers: response.headers, events },
    all: () => Array.fromAsync(events),
    async next(type) {
      for (;;) {
        const { done, value } = await events.next()
        if (done === true) throw new Error(`The stream ended without ${type}.`)
        if (value.type === type) return value as Extract<ChatEvent, { type: typeof type }>
      }
    },
    leave: () => client.abort(),
  }
}

/** Uploads a text file, and returns its id. */
export async function upload(service: Service, { as }: ChatUser, text: string): Promise<string> {
  const disposition = 'content-disposition: form-data; name="file"; filename="terms.txt"'
  const raw = `--x\r\n${disposition}\r\n\r\n${text}\r\n--x--\r\n`
  const send = { 'content-type': 'multipart/form-data; boundary=x' }
  return (await service.call(addAttachment, { raw, send }, as)).data.id
}

/** Sends a message, with an answer to it. */
export function send(
  service: Service,
  { as, project }: ChatUser,
  body: object = {},
): Promise<OpenReply> {
  return openStream(service, streamReply.path, as, { ...project, message: 'Hello', ...body })
}

export function join(
  service: Service,
  { as }: ChatUser,
  messageId: string,
  proof: Partial<ReadingProof> = {},
): Promise<OpenReply> {
  return openStream(service, buildPath(joinReply, { messageId }, proof), as)
}

async function* readEvents(response: Response): AsyncGenerator<ChatEvent> {
  let rest = ''
  let seq = 0
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + piece).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      if (frame.startsWith(':')) continue
      if (!frame.startsWith('data: ')) throw new Error(`This is not an event: ${frame}`)
      const event = chatEvent.parse(JSON.parse(frame.slice('data: '.length)))
      if (event.seq !== seq++) throw new Error(`Event ${event.seq} came instead of ${seq - 1}.`)
      yield event
    }
  }
}

/** The events in short: their type and text. Deltas of one type that follow each other are one. */
export function summary(events: readonly ChatEvent[]): string[] {
  const lines: string[] = []
  let before: ChatEvent | undefined
  for (const event of events) {
    if ('delta' in event && event.type === before?.type) lines.push(`${lines.pop()}${event.delta}`)
    else lines.push(toLine(event))
    before = event
  }
  return lines
}

function toLine(event: ChatEvent): string {
  if ('delta' in event) return `${event.type}: ${event.delta}`
  if (event.type === 'done') return `done: ${event.finish_reason}`
  if (event.type === 'title') return `title: ${event.title}`
  return 'message' in event ? `${event.type}: ${event.message}` : event.type
}

export const textOf = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.delta : '')).join('')

export function findStart(events: readonly ChatEvent[]): Extract<ChatEvent, { type: 'start' }> {
  const [first] = events
  if (first?.type !== 'start') throw new Error('There is no start.')
  return first
}
