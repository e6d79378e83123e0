import { z } from 'zod'
import { chatFinding } from './chat-scan.ts'
import { endpoint } from './endpoint.ts'
import { id, limitedList, uploadedFile } from './fields.ts'
import { limits } from './limits.ts'

/*
 * Files that are attached to chat messages.
 */

/** In lower case. Source: interface specification, "POST /chat/attachments". */
export const attachmentExtensions = [
  'txt',
  'md',
  'markdown',
  'csv',
  'tsv',
  'json',
  'log',
  'pdf',
  'docx',
] as const

const chatAttachment = z.object({
  id: id.describe('unknown to the service if it was not stored'),
  name: z
    .string()
    .max(limits.attachmentNameLength.value)
    .describe('without folders and control characters'),
  extension: z.enum(attachmentExtensions),
  size: z.int().describe('of the file, in bytes'),
  chars: z.int().describe('length of `text`'),
  text: z.string(),
  truncated: z.boolean().describe('whether further text was left out'),
  pages: z.int().optional().describe('of a PDF'),
  notes: limitedList(z.string(), 'attachmentNotes'),
  findings: limitedList(chatFinding, 'attachmentFindings').describe('in `text`'),
})
export type ChatAttachment = z.output<typeof chatAttachment>

export const addAttachment = endpoint({
  method: 'POST',
  path: '/chat/attachments',
  tag: 'Chat',
  product: 'chat',
  refusals: 'chat',
  reply: 'bare',
  summary: 'Upload an attachment, and read its text',
  description: `A .${attachmentExtensions.join(', .')} file. The text is stored for its uploader only, the file is not. It is removed after ${limits.attachmentHours.value} hours. The text is scanned as a message is; findings do not refuse the upload.`,
  access: { by: 'session' },
  cost: 'expensive',
  query: z.object({
    store: z
      .enum(['true', 'false'])
      .default('true')
      .describe('false: the text is only returned, for an encrypted conversation'),
  }),
  body: {
    as: 'multipart',
    field: 'file',
    schema: uploadedFile,
    maxBytes: limits.attachmentBodyBytes.value,
    extensions: attachmentExtensions,
  },
  success: { status: 200, data: chatAttachment },
  errors: ['UNSUPPORTED_TYPE', 'EMPTY', 'ENCRYPTED', 'UNREADABLE'],
})
