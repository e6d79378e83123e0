import { attachmentExtensions } from '@assay/contract/chat-attachments.ts'
import type { Conversation, ConversationMessage } from '@assay/contract/conversations.ts'
import type { KeyOwner } from '@assay/contract/key-fingerprints.ts'
import {
  type DeviceMailbox,
  type SealedMessage,
  sealedMessage,
} from '@assay/contract/sealed-history.ts'
import { EncryptionProblem } from './encryption-problem.ts'
import { type Mailbox, type OpeningDevice, openMailbox, openText } from './mailbox.ts'

/*
 * Opens what the server keeps sealed: the messages of a conversation, its title, and a reply that has ended.
 */

export interface OpeningKeys {
  readonly owner: KeyOwner
  readonly device: OpeningDevice
}

interface SealedConversation extends Pick<Conversation, 'id' | 'title' | 'sealed_title'> {
  readonly encrypted: boolean
  readonly mailboxes?: readonly DeviceMailbox[] | undefined
  readonly messages: readonly ConversationMessage[]
}

export interface OpenedMessage extends ConversationMessage {
  /** Not sealed for this device, or changed: its content is not known. */
  readonly isUnreadable?: true
  /** The texts of its attachments, for the context of the next message. */
  readonly attachedTexts?: readonly AttachedText[]
}

/** As it is sealed. Its place in the list is that in `attachments`. */
export type AttachedText = NonNullable<SealedMessage['attachments']>[number]

export type OpenedConversation<Read> = Omit<Read, 'messages'> & {
  readonly messages: readonly OpenedMessage[]
}

/** The conversation with its title and messages in plain text; as it is, if it is not encrypted. Without keys, nothing is readable. */
export async function openConversation<Read extends SealedConversation>(
  read: Read,
  keys: OpeningKeys | undefined,
): Promise<OpenedConversation<Read>> {
  if (!read.encrypted) return read
  const mailboxes = keys ? await openMailboxes(read.mailboxes ?? [], keys) : new Map()
  const { id } = read
  const messages: OpenedMessage[] = []
  for (const message of read.messages) {
    messages.push(toOpened(message, await openMessage(id, message, mailboxes)))
  }
  return { ...read, messages, title: await openSealedTitle(read, mailboxes) }
}

/** For lists. Undefined: it cannot be opened on this device. */
export async function openTitle(
  listed: Pick<Conversation, 'id' | 'title' | 'sealed_title'> & {
    readonly mailbox?: DeviceMailbox | undefined
  },
  keys: OpeningKeys,
): Promise<string | undefined> {
  if (listed.sealed_title === undefined) return listed.title
  const mailboxes = await openMailboxes(listed.mailbox ? [listed.mailbox] : [], keys)
  return (await openSealedTitle(listed, mailboxes)) || undefined
}

export type Mailboxes = ReadonlyMap<number, Mailbox>

/** Those that are sealed for the device, by epoch. */
export async function openMailboxes(
  stored: readonly DeviceMailbox[],
  { owner, device }: OpeningKeys,
): Promise<Mailboxes> {
  const opened = new Map<number, Mailbox>()
  for (const { epoch, mailbox_pub, key } of stored) {
    if (key === null) continue
    const found = await unlessUnreadable(openMailbox({ epoch, mailbox_pub, key }, owner, device))
    if (found !== undefined) opened.set(epoch, found)
  }
  return opened
}

/** Undefined if the message is not sealed, or cannot be opened. */
export async function openMessage(
  conversation: string,
  message: Pick<ConversationMessage, 'id' | 'parent_id' | 'role' | 'epoch' | 'sealed'>,
  mailboxes: Mailboxes,
): Promise<SealedMessage | undefined> {
  const { id, parent_id: parent, role, epoch, sealed } = message
  const mailbox = epoch === undefined ? undefined : mailboxes.get(epoch)
  if (mailbox === undefined || sealed === undefined) return undefined
  const place = { conversation, message: id, parent, role }
  const text = await unlessUnreadable(openText(sealed, mailbox, place))
  return text === undefined ? undefined : sealedMessage.parse(JSON.parse(text))
}

function toOpened(message: ConversationMessage, opened: SealedMessage | undefined): OpenedMessage {
  const { epoch: _, sealed, ...rest } = message
  if (sealed === undefined) return message
  if (opened === undefined) return { ...rest, isUnreadable: true }
  const { content, reasoning, problem, attachments } = opened
  return {
    ...{ ...rest, content, ...(reasoning !== undefined && { reasoning }) },
    ...(problem !== undefined && { problem }),
    ...(attachments !== undefined && {
      attachedTexts: attachments,
      attachments: attachments.map((one, place) => toListed(one, `${message.id} ${place}`)),
    }),
  }
}

/** The service does not know of it, so that it has no id there. */
function toListed(
  { name, text, size = encodedLength(text), truncated = false }: AttachedText,
  id: string,
): ConversationMessage['attachments'][number] {
  const extension = attachmentExtensions.find((one) => name.toLowerCase().endsWith(`.${one}`))
  return { id, name, extension: extension ?? 'txt', size, chars: text.length, truncated }
}

const encodedLength = (text: string) => new TextEncoder().encode(text).length

async function openSealedTitle(
  { id, sealed_title: title }: Pick<Conversation, 'id' | 'sealed_title'>,
  mailboxes: Mailboxes,
): Promise<string> {
  const mailbox = title && mailboxes.get(title.epoch)
  if (title === undefined || mailbox === undefined) return ''
  const place = { conversation: id, message: null, parent: null, role: 'title' } as const
  return (await unlessUnreadable(openText(title.sealed, mailbox, place))) ?? ''
}

async function unlessUnreadable<Result>(opening: Promise<Result>): Promise<Result | undefined> {
  try {
    return await opening
  } catch (error) {
    if (error instanceof EncryptionProblem) return undefined
    throw error
  }
}
