import { base } from '@assay/account/api/base.ts'
import { streamReply } from '@assay/contract/chat-stream.ts'
import { ApiError, openStream } from '@assay/contract/client.ts'
import type { Project } from '@assay/contract/organizations.ts'
import type { QueryClient } from '@tanstack/react-query'
import { EncryptionProblem } from '../crypto/encryption-problem.ts'
import { findDevice, hasKeys } from '../crypto/key-store.ts'
import type { AttachedText, OpenedMessage } from '../crypto/open-conversation.ts'
import { signReadingProof } from '../crypto/reading-proof.ts'
import type { Turn } from '../thread/thread-state.ts'
import { conversationQuery } from './chat-conversation.ts'
import { joinRunningReply, toRequest } from './chat-stream.ts'
import { type EncryptionPlace, type MissingKeys, readEncryption } from './encryption.ts'
import { describeMissingKeys, missingKeysQuery } from './missing-keys.ts'
import { withEpoch } from './with-epoch.ts'

/*
 * Turns of encrypted conversations: the browser sends the context, because the service cannot read what it stores.
 */

/** Whether what is sent next is sealed: in an encrypted conversation, or in a new one of a browser with keys. */
export async function isSealed(
  conversationId: string | undefined,
  place: EncryptionPlace,
  { encrypted_history: mode }: Pick<Project, 'encrypted_history'>,
  queryClient: QueryClient,
): Promise<boolean> {
  if (conversationId !== undefined) {
    const query = conversationQuery(conversationId, place.owner)
    return (await queryClient.query({ ...query, staleTime: 'static' })).encrypted
  }
  if (mode === 'off' || !(await hasKeys(place.owner))) return false
  const { device, missing } = await readEncryption(place)
  if (mode === 'optional' && missing !== undefined) showMissing(missing, place, queryClient)
  return device !== undefined
}

/** Refuses the first message if the page has not yet shown that it will not be encrypted. */
function showMissing(missing: MissingKeys, place: EncryptionPlace, queryClient: QueryClient): void {
  const { queryKey } = missingKeysQuery(place)
  if (queryClient.getQueryData(queryKey)) return
  queryClient.setQueryData(queryKey, missing)
  const message = `${describeMissingKeys(missing)} Enroll it under Encryption, or press Retry to send the message as it is.`
  throw new ApiError(409, 'CONFLICT', message)
}

export async function sendSealedTurn(place: EncryptionPlace, turn: Turn, signal: AbortSignal) {
  const { conversationId, message } = turn
  if ((await findDevice(place.owner)) === undefined) throw new ApiError(409, 'CONFLICT', noKeys)
  return await withEpoch(place, conversationId, signal, async (stored, encryption) => {
    const messages: readonly OpenedMessage[] = stored?.messages ?? []
    const branch = branchTo(messages, turn.parentId)
    const asked = message === undefined ? branch.at(-1) : undefined
    const earlier = asked === undefined ? branch : branch.slice(0, -1)
    const attachments = message?.attachments.flatMap(
      ({ text, ...one }) =>
        (text === undefined ? findAttached(messages, one.id) : { ...one, text }) ?? [],
    )
    const body = {
      ...toRequest(place.slugs, turn),
      ...{ attachment_ids: [], history: earlier.filter(isReadable).map(toHistory) },
      attachments: (attachments ?? asked?.attachedTexts ?? []).map(toGiven),
      ...(asked !== undefined && { message: asked.content }),
      ...(encryption !== undefined && { encryption }),
    }
    return await openStream(base, streamReply, { body }, { signal })
  })
}

const toGiven = ({ name, text, size, truncated }: AttachedText) => ({
  ...{ name, text },
  ...(size !== undefined && { size }),
  ...(truncated !== undefined && { truncated }),
})

/** The text of an attachment that an earlier message has. */
function findAttached(messages: readonly OpenedMessage[], id: string): AttachedText | undefined {
  for (const { attachments, attachedTexts } of messages) {
    const place = attachments.findIndex((one) => one.id === id)
    if (place !== -1) return attachedTexts?.[place]
  }
  return undefined
}

const noKeys =
  'This conversation is encrypted. Enroll this browser under Encryption, then send the message again.'

const isReadable = ({ isUnreadable, content }: OpenedMessage) => !isUnreadable && content !== ''

function toHistory({ role, content, attachedTexts = [] }: OpenedMessage) {
  const files = attachedTexts.map(({ name, text }) => `Attached file ${name}:\n${text}`)
  return { role, content: [...files, content].join('\n\n') }
}

function branchTo(messages: readonly OpenedMessage[], id: string | null): OpenedMessage[] {
  const branch: OpenedMessage[] = []
  for (let at = id; at !== null; ) {
    const message = messages.find((one) => one.id === at)
    if (message === undefined) break
    branch.unshift(message)
    at = message.parent_id
  }
  return branch
}

/** Reads a reply from its beginning. A browser with keys proves that it is an active device. */
export async function joinAsDevice(
  place: EncryptionPlace,
  messageId: string,
  signal: AbortSignal,
): ReturnType<typeof joinRunningReply> {
  if (!(await hasKeys(place.owner))) return await joinRunningReply(messageId, undefined, signal)
  const { owner, device, challenge } = await readEncryption(place, signal)
  const proof = device && (await signReadingProof(messageId, owner, device, challenge))
  return await joinRunningReply(messageId, proof, signal)
}

/** Keys that cannot be trusted are a refusal: trying again does not help. */
export async function asRefusal<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof EncryptionProblem) throw new ApiError(403, 'FORBIDDEN', error.message)
    throw error
  }
}
