import type { ModelMessage } from '../../model-gateway/model-call.ts'
import { contextWindowOf } from '../../models/context-window.ts'
import { Failure } from '../../platform/failure.ts'
import { readAttachedTexts } from './attached-texts.ts'
import type { ChatStreamPorts } from './chat-stream-ports.ts'
import { toModelMessages, withAttachments } from './context-messages.ts'
import { type Fitting, leftOutNotice, loadFitting, roomOf } from './fit-context.ts'
import { listWholeBranch, readBranch } from './read-branch.ts'
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

/** Throws CONFLICT when the question alone is too long for the model. */
export async function readContext(
  found: FoundTurn,
  request: TurnRequest,
  ports: ChatStreamPorts,
): Promise<TurnContext> {
  const { system = '' } = request.body
  const { provider, model } = found.model
  const { question, earlier, count } = await openEarlier(found, request, ports)
  const window = contextWindowOf(provider, model, ports.clock.now())
  const room = roomOf(window) - system.length - (question?.length ?? newTextLength(found))
  if (room < 0) {
    const message =
      'The message and its attachments are too long for this model. Shorten them, or choose another model.'
    throw new Failure('CONFLICT', message)
  }
  const read = await loadFitting(earlier, room)
  const leftOut = count - read.length
  const asked = question === undefined ? newMessage(found, request, ports) : question.load()
  return {
    system,
    messages: toModelMessages([...read.toReversed(), await asked]),
    notices: leftOut === 0 ? [] : [leftOutNotice(leftOut)],
  }
}

interface EarlierMessages {
  /** A message that is answered again; undefined: the turn has a new one. */
  readonly question: Fitting<ModelMessage> | undefined
  /** The newest first. */
  readonly earlier: AsyncIterable<Fitting<ModelMessage>> | Iterable<Fitting<ModelMessage>>
  readonly count: number
}

async function openEarlier(
  found: FoundTurn,
  { member, body }: TurnRequest,
  ports: ChatStreamPorts,
): Promise<EarlierMessages> {
  const { conversation, message, parent, repeated, givenAttachments } = found
  const given = body.history?.map(toGiven).toReversed()
  // The service cannot read what is stored of an encrypted conversation.
  if (conversation === undefined || parent === undefined || conversation.encrypted === 1) {
    const again = repeated && (await withAttachments(repeated, givenAttachments))
    const question = again === undefined ? undefined : toGiven({ role: 'user', content: again })
    return { question, earlier: given ?? [], count: given?.length ?? 0 }
  }
  const owner = { userId: member.user.id, conversationId: conversation.id }
  const isGiven = given !== undefined && message !== undefined
  const branch = isGiven ? [] : await listWholeBranch(owner, parent.id, ports)
  const asked = message === undefined ? branch.slice(0, 1) : []
  const messages = branch.slice(asked.length)
  const { value: question } = await readBranch(owner, asked, ports).next()
  return {
    question: question ?? undefined,
    earlier: given ?? readBranch(owner, messages, ports),
    count: given?.length ?? messages.length,
  }
}

function toGiven(message: ModelMessage): Fitting<ModelMessage> {
  return { length: message.content.length, load: () => message }
}

async function newMessage(
  { message = '', attachments, givenAttachments }: FoundTurn,
  { member }: TurnRequest,
  ports: ChatStreamPorts,
): Promise<ModelMessage> {
  const ids = attachments.map(({ id }) => id)
  // An encrypted conversation has none that are stored, others have no other.
  const attached =
    ids.length === 0 ? givenAttachments : readAttachedTexts(member.user.id, ids, ports)
  return { role: 'user', content: await withAttachments(message, attached) }
}
