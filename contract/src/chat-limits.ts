/*
 * The limits of the chat product. Part of `limits`.
 */

const mib = 1024 * 1024

export const chatLimits = {
  chatTextLength: { value: 100_000, unit: 'characters', of: 'text of POST /chat/scan' },
  attachmentBytes: { value: 10 * mib, unit: 'bytes', of: 'the file of POST /chat/attachments' },
  attachmentBodyBytes: {
    value: 10 * mib + 64 * 1024,
    unit: 'bytes',
    of: 'the body of POST /chat/attachments',
  },
  attachmentNameLength: { value: 255, unit: 'characters', of: 'name of an attachment' },
  attachmentTextLength: {
    value: 500_000,
    unit: 'characters',
    of: 'text that is read from an attachment (further text is left out)',
  },
  attachmentFindings: {
    value: 1000,
    unit: 'findings',
    of: 'the findings of an attachment that are listed; those that block come first',
  },
  attachmentNotes: { value: 10, unit: 'notes', of: 'notes on an attachment' },
  attachmentsPerMessage: {
    value: 10,
    unit: 'attachments',
    of: 'attachment_ids of POST /chat/scan',
  },
  attachmentHours: { value: 24, unit: 'hours', of: 'lifetime of an attachment without a message' },
  attachmentsPerPerson: {
    value: 100,
    unit: 'attachments',
    of: 'attachments of a user without a message; another one removes the oldest',
  },
  attachmentTextPerPerson: {
    value: 10_000_000,
    unit: 'characters',
    of: 'the text of these attachments; another one removes the oldest',
  },
} as const
