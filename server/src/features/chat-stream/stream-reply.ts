import type { ChatFinding } from '@assay/contract/chat-scan.ts'
import type { ChatEvent, ChatRequest } from '@assay/contract/chat-stream.ts'
import type { ClientFacts, SignedIn } from '../../accounts/caller.ts'
import { Failure } from '../../platform/failure.ts'
import type { Requester } from '../../platform/requester.ts'
import { isBeingWritten, type OwnedReply } from '../../storage/accounts/chat-turn-store.ts'
import { isUniqueConflict } from '../../storage/accounts/unique-conflict.ts'
import { beginTurn } from './begin-turn.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'
import { checkReader, type GivenProof } from './check-reader.ts'
import { findInTurn } from './held-back.ts'
import { findMailbox } from './sealed-turn.ts'
import { type CheckedTurn, storeTurn } from './store-turn.ts'
import { openStoredEvents } from './stored-events.ts'
import { readContext, type TurnContext } from './turn-context.ts'
import { checkRoom, findTurn, type TurnRequest } from './turn-request.ts'

/*
 * Answers a request for a reply: checks everything, stores the turn, begins the reply, and reads it.
 */

export interface ReadingCaller {
  readonly caller: SignedIn
  readonly signal: AbortSignal
}

export async function streamReply(
  body: ChatRequest,
  client: ClientFacts,
  { caller, signal }: ReadingCaller,
  ports: ChatStreamPorts,
): Promise<AsyncIterable<ChatEvent>> {
  const member = await ports.access.getNamedProjectCaller(caller, body.org, body.project)
  const request: TurnRequest = { member, client, body }
  const clientKey = clientKeyOf(request)
  const repeated = await findRepeated(clientKey, request, ports)
  if (repeated !== undefined) return await repeatReply(repeated, { caller, signal }, ports)
  const found = await findTurn(request, ports)
  checkRoom(found)
  const mailbox = await findMailbox(found, request, ports, signal)
  const context = await readContext(found, request, ports)
  const findings = await findInTurn(found, request, ports)
  if (findings.blocked && !body.overridePiiBlock) return heldBack(findings.findings)
  const checked = { found, context, findings, clientKey, mailbox }
  const reply = await begin(checked, request, ports)
  return typeof reply === 'string'
    ? await repeatReply(reply, { caller, signal }, ports)
    : whileMember(reply.read(signal), member.projectId, caller, ports)
}

/** Returns the id of the reply to a request with the same client's id that was stored meanwhile. */
async function begin(checked: CheckedTurn, request: TurnRequest, ports: ChatStreamPorts) {
  const { organizationId, user } = request.member
  const requester: Requester = [organizationId, user.id]
  const place = ports.replies.reserve(requester, lengthOf(checked.context))
  try {
    const stored = await storeTurn(checked, request, ports)
    return beginTurn(place, checked, stored, request, ports)
  } catch (error) {
    place.release()
    const repeated = isUniqueConflict(error)
      ? await findRepeated(checked.clientKey, request, ports)
      : undefined
    if (repeated === undefined) throw error
    return repeated
  }
}

function lengthOf({ system, messages }: TurnContext): number {
  return messages.reduce((sum, { content }) => sum + content.length, system.length)
}

/** An id of a client counts in its conversation, or in the project for the message that begins one. */
function clientKeyOf({ member, body }: TurnRequest): string | null {
  const { client_message_id: clientId, conversation_id: conversationId } = body
  if (clientId === undefined) return null
  const place = conversationId ?? `${member.projectId} ${member.user.id}`
  return `${place} ${clientId}`
}

async function findRepeated(
  clientKey: string | null,
  { member }: TurnRequest,
  { accounts }: ChatStreamPorts,
): Promise<string | undefined> {
  if (clientKey === null) return undefined
  const { chatTurns } = accounts
  const message = await chatTurns.findByKey(member.user.id, clientKey)
  if (message === undefined || message.role === 'assistant') return message?.id
  return await chatTurns.findFirstReply(member.user.id, message.conversation_id, message.id)
}

async function* heldBack(findings: ChatFinding[]): AsyncIterable<ChatEvent> {
  yield { type: 'pii', seq: 0, findings }
  const message =
    'The message was not sent: it contains a credential or a government identifier. Remove it, or send the message anyway.'
  yield { type: 'error', seq: 1, message }
}

/**
 * Throws NOT_FOUND for a reply of somebody else, and in a project without access; FORBIDDEN for an encrypted one that is
 * being written, unless an active device reads it.
 */
export async function joinReply(
  messageId: string,
  proof: GivenProof,
  reading: ReadingCaller,
  ports: ChatStreamPorts,
): Promise<AsyncIterable<ChatEvent>> {
  const { reply, member } = await getReply(messageId, reading, ports)
  if (isOpen(reply, reading, ports)) {
    const owner = { org: member.organizationId, user: member.user.id }
    await checkReader(messageId, proof, owner, ports, reading.signal)
  }
  return readAllowed(reply, reading, ports)
}

/** As joinReply, without the text of an encrypted reply that is being written. */
async function repeatReply(
  messageId: string,
  reading: ReadingCaller,
  ports: ChatStreamPorts,
): Promise<AsyncIterable<ChatEvent>> {
  const { reply } = await getReply(messageId, reading, ports)
  return isOpen(reply, reading, ports) ? startOf(reply) : readAllowed(reply, reading, ports)
}

function readAllowed(
  { id, project_id }: OwnedReply,
  reading: ReadingCaller,
  ports: ChatStreamPorts,
) {
  return whileMember(readReply(id, reading, ports), project_id, reading.caller, ports)
}

async function* startOf(reply: OwnedReply): AsyncIterable<ChatEvent> {
  yield* openStoredEvents().next(reply, true)
}

async function getReply(
  messageId: string,
  { caller }: ReadingCaller,
  { accounts, access }: ChatStreamPorts,
) {
  const reply = await accounts.chatTurns.findReply(caller.user.id, messageId)
  if (reply === undefined) throw replyNotFound()
  const member = await access.findProjectCaller(caller, reply.project_id)
  if (member === undefined) throw replyNotFound()
  return { reply, member }
}

/** Whether a process has the plain text of an encrypted reply. */
function isOpen(
  reply: OwnedReply,
  { caller: { user } }: ReadingCaller,
  { replies, clock }: ChatStreamPorts,
): boolean {
  // This process has it until the reply is stored, and a moment longer.
  return (
    reply.epoch !== null &&
    (isBeingWritten(reply, clock.now().toISOString()) ||
      replies.find(user.id, reply.id) !== undefined)
  )
}

const replyNotFound = () => new Failure('NOT_FOUND', 'Reply not found.')

/** A reply that another process writes is read as that process stores it: often, while somebody reads it elsewhere. */
async function* readReply(
  messageId: string,
  { caller: { user }, signal }: ReadingCaller,
  { accounts: { chatTurns }, replies, clock }: ChatStreamPorts,
): AsyncIterable<ChatEvent> {
  const events = openStoredEvents()
  const now = () => clock.now().toISOString()
  const followed = replies.elsewhere.follow(user.id, messageId)
  let readUntil: string | null | undefined
  try {
    while (!signal.aborted) {
      const running = replies.find(user.id, messageId)
      if (running !== undefined) {
        // What was sent from the row cannot be continued: the reader joins it again.
        if (readUntil === undefined) yield* running.read(signal)
        return
      }
      const lease = await chatTurns.findLease(user.id, messageId)
      if (lease === undefined) return
      if (!isBeingWritten(lease, now()) || lease.running_until !== readUntil) {
        const reply = await chatTurns.findReply(user.id, messageId)
        if (reply === undefined) return
        const isRunning = isBeingWritten(reply, now())
        yield* events.next(reply, isRunning)
        if (!isRunning) return
        readUntil = reply.running_until
      }
      await followed.more(signal)
    }
  } finally {
    followed.end()
  }
}

const recheckMs = 1500

/** Ends when the caller loses access to the project. */
async function* whileMember(
  events: AsyncIterable<ChatEvent>,
  projectId: string,
  caller: SignedIn,
  { access }: ChatStreamPorts,
): AsyncIterable<ChatEvent> {
  let checkedAt = performance.now()
  for await (const event of events) {
    if (performance.now() - checkedAt > recheckMs) {
      if ((await access.findProjectCaller(caller, projectId)) === undefined) return
      checkedAt = performance.now()
    }
    yield event
  }
}

/** False when it had ended. */
export async function stopReply(
  messageId: string,
  { user }: SignedIn,
  { accounts, replies, clock }: ChatStreamPorts,
): Promise<boolean> {
  const running = replies.find(user.id, messageId)
  if (running !== undefined) {
    running.stop()
    await running.ended
    return true
  }
  const reply = await accounts.chatTurns.findReply(user.id, messageId)
  if (reply === undefined) throw replyNotFound()
  const isStopped = await accounts.chatTurns.requestStop(user.id, reply, clock.now().toISOString())
  if (isStopped) replies.elsewhere.stop(user.id, messageId)
  return isStopped
}
