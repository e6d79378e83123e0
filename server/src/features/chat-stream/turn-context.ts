import type { ModelMessage } from '../../model-gateway/model-call.ts'
import { contextWindowOf } from '../../models/context-window.ts'
import { Failure } from '../../platform/failure.ts'
import type { BranchMessage } from '../../storage/accounts/chat-turn-store.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'
import { type AttachedText, toModelMessages, withAttachments } from './context-messages.ts'
import { fitContext, leftOutNotice } from './fit-context.ts'
import { type FoundTurn, newTextLength, type TurnRequest } from './turn-request.ts'

/*
 * What the model reads: the question, and as many of the messages before it as fit.
 */

export interface TurnContext {
  readonly system: string
  /** The question is the last one. */
  readonly messages: readonly ModelMessage[]
  readonly notices: readonly string[]
}

/** A message of the conversation whose text is loaded if it fits. */
interface Earlier {
  readonly length: number
  readonly load: { readonly content: string; readonly role: ModelMessage['role'] } | BranchMessage
  readonly attachmentIds: readonly string[]
}

/** Throws CONFLICT when the question alone is too long for the model. */
export async function readContext(
  found: FoundTurn,
  request: TurnRequest,
  ports: ChatStreamPorts,
): Promise<TurnContext> {
  const { body } = request
  const stored = isSealed(found) ? [] : await toEarlier(found, request, ports)
  // A message that is answered again is stored, a new one is not.
  const question = found.message === undefined ? (toRepeated(found) ?? stored[0]) : undefined
  const branch = question === undefined ? stored : stored.slice(1)
  const earlier = body.history?.map(toGiven).toReversed() ?? branch
  const system = body.system ?? ''
  const { provider, model } = found.model
  const count = fitContext({
    window: contextWindowOf(provider, model, ports.clock.now()),
    requiredLength: system.length + (question?.length ?? newTextLength(found)),
    earlierLengths: earlier.map(({ length }) => length),
  })
  if (count === undefined) {
    const message = 'The message with its attachments is longer than the model can read.'
    throw new Failure('CONFLICT', message)
  }
  const read = [...(question === undefined ? [] : [question]), ...earlier.slice(0, count)]
  const newest = await loadMessages(read.toReversed(), found, request, ports)
  const asked = await newMessage(found, request, ports)
  const leftOut = earlier.length - count
  return {
    system,
    messages: toModelMessages(asked === undefined ? newest : [...newest, asked]),
    notices: leftOut === 0 ? [] : [leftOutNotice(leftOut)],
  }
}

/** Whether the service cannot read what is stored. */
const isSealed = ({ conversation }: FoundTurn) => conversation?.encrypted === 1

function toRepeated({ repeated, givenAttachments }: FoundTurn): Earlier | undefined {
  if (repeated === undefined) return undefined
  return toGiven({ role: 'user', content: withAttachments(repeated, givenAttachments) })
}

function toGiven(message: ModelMessage): Earlier {
  return { length: message.content.length, load: message, attachmentIds: [] }
}

/** The newest first. */
async function toEarlier(
  { branch }: FoundTurn,
  { member }: TurnRequest,
  { accounts }: ChatStreamPorts,
): Promise<readonly Earlier[]> {
  const asked = branch.filter(({ role }) => role === 'user').map(({ id }) => id)
  const attached =
    asked.length === 0 ? [] : await accounts.chatTurns.listAttachmentLengths(member.user.id, asked)
  const byMessage = Map.groupBy(attached, ({ message_id }) => message_id)
  return branch.map((message) => {
    const own = byMessage.get(message.id) ?? []
    const length = own.reduce((sum, { chars }) => sum + chars, message.contentLength)
    return { length, load: message, attachmentIds: own.map(({ id }) => id) }
  })
}

async function loadMessages(
  read: readonly Earlier[],
  { conversation }: FoundTurn,
  request: TurnRequest,
  ports: ChatStreamPorts,
): Promise<ModelMessage[]> {
  const { chatTurns } = ports.accounts
  const ids = read.flatMap(({ load }) => ('id' in load ? [load.id] : []))
  const rows =
    conversation === undefined || ids.length === 0
      ? []
      : await chatTurns.listTexts(request.member.user.id, conversation.id, ids)
  const texts = new Map(rows.map((row) => [row.id, row.content]))
  const attached = await loadAttached(
    read.flatMap((one) => one.attachmentIds),
    request,
    ports,
  )
  const byMessage = Map.groupBy(attached, ({ message_id }) => message_id)
  return read.map(({ load }) => {
    if ('content' in load) return load
    const own = byMessage.get(load.id) ?? []
    return { role: load.role, content: withAttachments(texts.get(load.id) ?? '', own) }
  })
}

async function newMessage(
  found: FoundTurn,
  request: TurnRequest,
  ports: ChatStreamPorts,
): Promise<ModelMessage | undefined> {
  const { message, attachments } = found
  if (message === undefined) return undefined
  const attached = await loadAttached(
    attachments.map(({ id }) => id),
    request,
    ports,
  )
  const all = [...attached, ...found.givenAttachments]
  return { role: 'user', content: withAttachments(message, all) }
}

async function loadAttached(
  ids: readonly string[],
  { member }: TurnRequest,
  { accounts }: ChatStreamPorts,
): Promise<(AttachedText & { readonly message_id: string | null })[]> {
  return ids.length === 0 ? [] : await accounts.chatTurns.listAttachmentTexts(member.user.id, ids)
}
