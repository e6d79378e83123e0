import { z } from 'zod'
import { attachmentExtensions } from './chat-attachments.ts'
import { finishReasons } from './chat-stream.ts'
import { deviceId } from './encryption-keys.ts'
import { endpoint } from './endpoint.ts'
import {
  appBody,
  changeOf,
  id,
  limitedList,
  pathId,
  projectSlugs,
  removed,
  timestamp,
  wholeNumber,
} from './fields.ts'
import { limits } from './limits.ts'
import { deviceMailbox, newEpoch, sealedText } from './sealed-history.ts'

/*
 * The conversations of a person in a project. Nobody else can read them: those of others do not exist.
 */

const conversation = z
  .object({
    id,
    title: z.string().describe('empty in an encrypted one'),
    sealed_title: sealedText.optional(),
    encrypted: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
    message_count: z.int(),
  })
  .meta({ id: 'Conversation' })
export type Conversation = z.output<typeof conversation>

export const messageStatuses = [
  'complete',
  'streaming',
  'aborted',
  'interrupted',
  'failed',
] as const

const conversationMessage = z
  .object({
    id,
    parent_id: id.nullable().describe('null at the beginning of the conversation'),
    role: z.enum(['user', 'assistant']),
    content: z.string(),
    reasoning: z.string().optional(),
    ...sealedText.partial().shape,
    status: z
      .enum(messageStatuses)
      .describe(
        '`aborted`: stopped by its reader; `interrupted`: the service ended meanwhile; `failed`: see `problem`',
      ),
    attachments: limitedList(
      z.object({
        id,
        name: z.string(),
        extension: z.enum(attachmentExtensions),
        size: z.int(),
        chars: z.int(),
        truncated: z.boolean(),
      }),
      'attachmentsPerMessage',
    ),
    created_at: timestamp,
    model: z.string().optional().describe('of a reply'),
    model_config_id: id.optional(),
    finish_reason: z.enum(finishReasons).optional(),
    problem: z.string().optional().describe('why the reply failed'),
    tokens_in: z.int().nullable().optional(),
    tokens_out: z.int().nullable().optional(),
    cost_usd: z.number().nullable().optional(),
    trace_id: z.string().optional(),
  })
  .meta({ id: 'ConversationMessage' })
export type ConversationMessage = z.output<typeof conversationMessage>

export const listConversations = endpoint({
  method: 'GET',
  path: '/chat/conversations',
  tag: 'Chat',
  product: 'chat',
  refusals: 'chat',
  reply: 'bare',
  summary: 'List your conversations in a project, the newest first',
  access: { by: 'session' },
  cost: 'expensive',
  query: z.object({
    ...projectSlugs,
    q: z
      .string()
      .trim()
      .max(limits.conversationSearchLength.value)
      .optional()
      .describe('a part of the title, in any case; titles of encrypted ones are not searched'),
    device: deviceId
      .optional()
      .describe('returns the mailboxes of encrypted titles with their keys for this device'),
    limit: wholeNumber(1, limits.listPageMax.value).default(limits.listPageDefault.value),
    cursor: z.string().optional().describe('`cursor` of the previous page'),
  }),
  success: {
    status: 200,
    data: z.object({
      conversations: limitedList(
        conversation.extend({ mailbox: deviceMailbox.optional() }),
        'listPageMax',
      ),
      cursor: z.string().nullable().describe('null on the last page'),
    }),
  },
  errors: ['PROJECT_NOT_FOUND'],
})

const inConversation = z.object({ conversationId: pathId })

export const readConversation = endpoint({
  method: 'GET',
  path: '/chat/conversations/{conversationId}',
  tag: 'Chat',
  product: 'chat',
  refusals: 'chat',
  reply: 'bare',
  summary: 'Read a conversation with its messages',
  description:
    'The messages are a tree: an edited message and a second reply are siblings of the first. They are sorted by `created_at`. 503 if too much is being read.',
  access: { by: 'session' },
  cost: 'expensive',
  params: inConversation,
  query: z.object({
    device: deviceId
      .optional()
      .describe('returns the mailboxes of an encrypted one with their keys for this device'),
  }),
  success: {
    status: 200,
    data: conversation.extend({
      mailboxes: limitedList(deviceMailbox, 'conversationEpochs').optional(),
      selected_message_id: id.nullable().describe('the last message of the branch shown last'),
      messages: limitedList(conversationMessage, 'chatMessages'),
    }),
  },
  errors: ['NOT_FOUND', 'INTERNAL_ERROR 503'],
})

export const updateConversation = endpoint({
  method: 'PATCH',
  path: '/chat/conversations/{conversationId}',
  tag: 'Chat',
  product: 'chat',
  refusals: 'chat',
  reply: 'bare',
  summary: 'Rename a conversation, or select one of its branches',
  description:
    'A new title makes it the newest of the list. The title of an encrypted conversation is stored sealed. 409 `CONFLICT` if that has to begin an epoch, as the next message would: send it with `encryption`.',
  access: { by: 'session' },
  cost: 'cheap',
  params: inConversation,
  body: {
    ...appBody(
      changeOf(
        z.object({
          title: z
            .string()
            .trim()
            .min(1, 'must not be empty')
            .max(limits.conversationTitleLength.value)
            .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must not contain control characters')
            .optional(),
          selected_message_id: id.optional().describe('the last message of the branch'),
          encryption: newEpoch
            .optional()
            .describe('begins another epoch of an encrypted one, with its title'),
        }),
      ).refine(({ encryption, title }) => encryption === undefined || title !== undefined, {
        path: ['encryption'],
        error: 'needs a title',
      }),
    ),
    malformed: 400,
  },
  success: { status: 200, data: conversation },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const removeConversation = endpoint({
  method: 'DELETE',
  path: '/chat/conversations/{conversationId}',
  tag: 'Chat',
  product: 'chat',
  refusals: 'chat',
  reply: 'bare',
  summary: 'Remove a conversation',
  description: `Stops a reply that is being written. It can be restored for ${limits.conversationRestoreMinutes.value} minutes.`,
  access: { by: 'session' },
  cost: 'cheap',
  params: inConversation,
  success: removed,
  errors: ['NOT_FOUND'],
})

export const restoreConversation = endpoint({
  method: 'POST',
  path: '/chat/conversations/{conversationId}/restore',
  tag: 'Chat',
  product: 'chat',
  refusals: 'chat',
  reply: 'bare',
  summary: 'Restore a conversation that was just removed',
  access: { by: 'session' },
  cost: 'cheap',
  params: inConversation,
  success: { status: 200, data: conversation },
  errors: ['NOT_FOUND'],
})
