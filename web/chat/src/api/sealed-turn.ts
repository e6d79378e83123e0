import { base } from '@assay/account/api/base.ts'
import { streamReply } from '@assay/contract/chat-stream.ts'
import { ApiError, openStream } from '@assay/contract/client.ts'
import type { Project } from '@assay/contract/organizations.ts'
import type { QueryClient } from '@tanstack/react-query'
import { beginEpoch } from '../crypto/begin-epoch.ts'
import { findDevice, hasKeys } from '../crypto/key-store.ts'
import type { OpenedMessage } from '../crypto/open-conversation.ts'
import type { Turn } from '../thread/thread-state.ts'
import { conversationQuery, readOpened } from './chat-conversation.ts'
import { toRequest } from './chat-stream.ts'
import { type EncryptionPlace, readEncryption } from './encryption.ts'

/*
 * Turns of encrypted conversations: the browser sends the context, because the service cannot read what it stores, and
 * begins an epoch when a new one is due.
 */

/** The texts of uploads that the service did not store, by id. */
export type UnstoredTexts = ReadonlyMap<string, { readonly name: string; readonly text: string }>

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
  return (await readEncryption(place)).device !== undefined
}

export async function sendSealedTurn(
  place: EncryptionPlace,
  turn: Turn,
  texts: UnstoredTexts,
  signal: AbortSignal,
) {
  const { conversationId, message } = turn
  if ((await findDevice(place.owner)) === undefined) throw new ApiError(409, 'CONFLICT', noKeys)
  const stored = conversationId && (await readOpened(conversationId, place.owner, signal))
  const messages: readonly OpenedMessage[] = stored ? stored.messages : []
  const branch = branchTo(messages, turn.parentId)
  const asked = message === undefined ? branch.at(-1) : undefined
  const earlier = asked === undefined ? branch : branch.slice(0, -1)
  const attachments = message?.attachments.flatMap(({ id }) => texts.get(id) ?? [])
  const body = {
    ...toRequest(place.slugs, turn),
    ...{ attachment_ids: [], history: earlier.filter(isReadable).map(toHistory) },
    ...{ attachments: attachments ?? [...(asked?.attachedTexts ?? [])] },
    ...(asked !== undefined && { message: asked.content }),
  }
  const begin = async (epoch: number) => {
    const { encryption } = await beginEpoch(epoch, await readEncryption(place, signal))
    return await openStream(base, streamReply, { body: { ...body, encryption } }, { signal })
  }
  if (!stored) return await begin(1)
  try {
    return await openStream(base, streamReply, { body }, { signal })
  } catch (error) {
    if (!isOutOfDate(error)) throw error
    return await begin((stored.mailboxes?.length ?? 0) + 1)
  }
}

const noKeys =
  'This conversation is encrypted. Enroll this browser under Encryption, then send the message again.'

function isOutOfDate(error: unknown): boolean {
  return error instanceof ApiError && error.message.startsWith('The keys of this conversation are')
}

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
