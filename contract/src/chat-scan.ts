import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, id } from './fields.ts'
import { limits } from './limits.ts'

/*
 * Credentials and personal data in chat messages.
 */

export const chatFinding = z
  .object({
    category: z
      .enum(['credential', 'government_id', 'contact', 'financial'])
      .describe('only the first two block a message'),
    type: z.string().describe('for example `github_token` or `us_ssn`'),
    start: z.int().describe('UTF-16 offset into the text'),
    end: z.int(),
    preview: z
      .string()
      .describe(
        'at most the public prefix, the separators and the last two characters of the value, such as `ghp_…Jz` or `•••-••-••••`',
      ),
    confidence: z.number().min(0).max(1),
    attachment_id: id.optional().describe('of a finding in the text of an attachment'),
    source: z
      .enum(['history', 'system', 'attachment'])
      .optional()
      .describe('of a finding in another text of POST /chat/stream than its message'),
  })
  .meta({ id: 'ChatFinding' })
export type ChatFinding = z.output<typeof chatFinding>

/** Whether a message with the finding is held back. */
export function isBlocking({ category }: Pick<ChatFinding, 'category'>): boolean {
  return category === 'credential' || category === 'government_id'
}

export const scanMessage = endpoint({
  method: 'POST',
  path: '/chat/scan',
  tag: 'Chat',
  product: 'chat',
  refusals: 'chat',
  reply: 'bare',
  summary: 'Scan a message before it is sent',
  description:
    'Finds what would hold the message back, with the same rules. Nothing in the text switches them off. Nothing is stored.',
  access: { by: 'session' },
  cost: 'expensive',
  body: {
    ...appBody(
      z.object({
        text: z.string().max(limits.chatTextLength.value),
        attachment_ids: z
          .array(id.toLowerCase())
          .max(limits.attachmentsPerMessage.value)
          .default([])
          .describe('your own attachments, which the message would have'),
      }),
    ),
    malformed: 400,
  },
  success: {
    status: 200,
    data: z.object({
      blocked: z.boolean().describe('whether it has a credential or a government identifier'),
      findings: z
        .array(chatFinding)
        .describe('sorted by `start`, without overlaps; then those of each attachment'),
    }),
  },
  errors: ['NOT_FOUND'],
})
