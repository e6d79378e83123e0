import { z } from 'zod'
import { chatFinding } from './chat-scan.ts'
import { endpoint } from './endpoint.ts'
import { appBody, id, pathId, projectSlugs } from './fields.ts'
import { limits } from './limits.ts'
import { givenAttachment, newEpoch, readingProof, sealedText } from './sealed-history.ts'

/*
 * Replies of models in the chat product, as streams of server-sent events. A reply does not depend on its readers: one
 * that nobody reads is completed and stored.
 */

export const finishReasons = ['stop', 'length', 'abort', 'timeout', 'filter'] as const
export type FinishReason = (typeof finishReasons)[number]

const seq = z.int().describe('0 in the first event of a response, and one more in each')

/**
 * `start` comes first. `done` is last; without it, `error` is. A message that is held back has exactly `pii` and
 * `error`. Clients ignore types that they do not know.
 */
export const chatEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    seq,
    conversation_id: id,
    message_id: id.describe('of the reply'),
    parent_id: id.describe('of the message that it answers'),
    model: z.string(),
    trace_id: z.string().describe('of the trace that records the turn'),
  }),
  z.object({ type: z.literal('text'), seq, delta: z.string() }),
  z.object({ type: z.literal('reasoning'), seq, delta: z.string() }),
  z
    .object({ type: z.literal('sealed'), seq, ...sealedText.shape })
    .describe('in place of the text, when a reply of an encrypted conversation has ended'),
  z.object({
    type: z.literal('usage'),
    seq,
    tokens_in: z.int().nullable().describe('null where the provider reports none'),
    tokens_out: z.int().nullable(),
    cost_usd: z.number().nullable().describe('null without a price for the model'),
  }),
  z.object({ type: z.literal('title'), seq, title: z.string() }),
  z.object({ type: z.literal('notice'), seq, message: z.string() }),
  z.object({
    type: z.literal('pii'),
    seq,
    findings: z.array(chatFinding).describe('those that block come first, at most 100'),
  }),
  z.object({ type: z.literal('error'), seq, message: z.string() }),
  z.object({
    type: z.literal('done'),
    seq,
    message_id: id,
    finish_reason: z.enum(finishReasons),
  }),
])
export type ChatEvent = z.output<typeof chatEvent>

const chatRequest = z
  .object({
    ...projectSlugs,
    conversation_id: id.optional().describe('without it, a new conversation begins'),
    parent_id: id
      .nullable()
      .optional()
      .describe(
        'the message that this one follows; null for the beginning of the conversation. Default: its newest message. With `regenerate`, the message to answer again',
      ),
    no_branch: z
      .boolean()
      .default(false)
      .describe(
        'refuses the message with `CONFLICT` if others follow `parent_id` already: the conversation was continued elsewhere',
      ),
    client_message_id: z
      .string()
      .min(1, 'must not be empty')
      .max(limits.clientMessageIdLength.value)
      .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters')
      .optional()
      .describe(
        'of the client, unique in the conversation: a request that repeats it joins the first reply; while one of an encrypted conversation is written, the response has its `start` without text: join it',
      ),
    message: z
      .string()
      .min(1, 'must not be empty')
      .max(limits.chatTextLength.value)
      .optional()
      .describe(
        'required without `regenerate`, and with it only in an encrypted conversation: the service cannot read the message to answer again',
      ),
    attachment_ids: z
      .array(id)
      .max(limits.attachmentsPerMessage.value)
      .default([])
      .describe(
        'your own attachments that no message has yet; those of messages of the conversation are copied',
      ),
    attachments: z
      .array(givenAttachment)
      .max(limits.attachmentsPerMessage.value)
      .default([])
      .describe(
        'in an encrypted conversation, in place of attachment_ids; `size` and `truncated` are those of the upload, and sealed with it',
      ),
    encryption: newEpoch
      .optional()
      .describe(
        'begins an encrypted conversation, or another epoch of it: after a device was revoked, and every 90 days',
      ),
    model_config_id: id
      .optional()
      .describe('default: the oldest model configuration of the organization'),
    history: z
      .array(
        z.object({
          role: z.enum(['user', 'assistant']),
          content: z.string().max(limits.attachmentTextLength.value),
        }),
      )
      .max(limits.chatMessages.value)
      .optional()
      .describe('the context that the model gets, in place of the stored messages'),
    system: z.string().max(limits.chatSystemLength.value).optional(),
    regenerate: z
      .boolean()
      .default(false)
      .describe('another reply to the message `parent_id`, beside the first'),
    overridePiiBlock: z
      .boolean()
      .default(false)
      .describe('sends this message although it was held back; recorded in the audit log'),
  })
  .refine(({ message, regenerate }) => regenerate || message !== undefined, {
    path: ['message'],
    error: 'is required',
  })
  .refine(
    ({ regenerate, parent_id }) => !regenerate || (parent_id !== undefined && parent_id !== null),
    { path: ['parent_id'], error: 'is required with regenerate' },
  )
  .refine(
    ({ conversation_id, parent_id }) =>
      conversation_id !== undefined || parent_id === undefined || parent_id === null,
    { path: ['conversation_id'], error: 'is required with parent_id' },
  )
export type ChatRequest = z.output<typeof chatRequest>

export const streamReply = endpoint({
  method: 'POST',
  path: '/chat/stream',
  tag: 'Chat',
  product: 'chat',
  refusals: 'chat',
  reply: 'events',
  summary: 'Send a message, and read the reply while the model writes it',
  description:
    'A message with a credential or a government identifier is held back: the stream is a `pii` event and an `error` event, no model is called, and nothing is stored. Send it again with `overridePiiBlock: true` to continue. A reader that disconnects does not end the reply: join it again, or stop it.',
  access: { by: 'session' },
  cost: 'expensive',
  body: {
    ...appBody(chatRequest),
    maxBytes: limits.chatBodyBytes.value,
    malformed: 400,
  },
  success: { status: 200, data: chatEvent },
  errors: ['ORG_NOT_FOUND', 'PROJECT_NOT_FOUND', 'NOT_FOUND', 'NO_MODELS', 'CONFLICT'],
})

const inReply = z.object({ messageId: pathId })

export const joinReply = endpoint({
  method: 'GET',
  path: '/chat/stream/{messageId}',
  tag: 'Chat',
  product: 'chat',
  refusals: 'chat',
  reply: 'events',
  summary: 'Read a reply from its beginning, while it is written or after it has ended',
  description:
    'A process that does not write the reply itself has its text as it is stored: in steps of about ten seconds. In an encrypted conversation it has the text at the end.\n\nWhile a reply of an encrypted conversation is written, only an active device can read it: the query must have all members of a proof, else 403 `FORBIDDEN`. Ended replies are sealed, and need none.',
  access: { by: 'session' },
  cost: 'expensive',
  params: inReply,
  query: readingProof.partial(),
  success: { status: 200, data: chatEvent },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
})

export const stopReply = endpoint({
  method: 'POST',
  path: '/chat/stream/{messageId}/stop',
  tag: 'Chat',
  product: 'chat',
  refusals: 'chat',
  reply: 'bare',
  summary: 'Stop a reply',
  description:
    'Closes the connection to the provider. What was written is kept, and the stream ends with `done` and `abort`. A reply that has already ended stays as it is.',
  access: { by: 'session' },
  cost: 'cheap',
  params: inReply,
  success: {
    status: 200,
    data: z.object({ stopped: z.boolean().describe('false if it had ended') }),
  },
  errors: ['NOT_FOUND'],
})
