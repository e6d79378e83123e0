/*
 * The limits of the chat product. Part of `limits`.
 */

const mib = 1024 * 1024

export const chatLimits = {
  chatTextLength: {
    value: 100_000,
    unit: 'characters',
    of: 'text of POST /chat/scan, and message of POST /chat/stream',
  },
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
    of: 'attachment_ids of POST /chat/scan and POST /chat/stream',
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
  chatBodyBytes: { value: 8 * mib, unit: 'bytes', of: 'the JSON body of POST /chat/stream' },
  chatSystemLength: { value: 20_000, unit: 'characters', of: 'system of POST /chat/stream' },
  clientMessageIdLength: {
    value: 128,
    unit: 'visible ASCII characters',
    of: 'client_message_id (at least 1)',
  },
  chatReplyLength: {
    value: 500_000,
    unit: 'characters',
    of: 'a reply with its reasoning; then it ends with the finish reason length',
  },
  chatReplySeconds: { value: 800, unit: 'seconds', of: 'a reply' },
  chatReplies: { value: 500, unit: 'replies', of: 'replies that are written at once' },
  chatRepliesOfOrganization: { value: 200, unit: 'replies', of: 'the same, of one organization' },
  chatRepliesOfUser: { value: 10, unit: 'replies', of: 'the same, of one user' },
  chatContextLength: {
    value: 200_000_000,
    unit: 'characters',
    of: 'the messages that models read for them, with attachments and system; a first one is always written',
  },
  chatContextLengthOfOrganization: {
    value: 80_000_000,
    unit: 'characters',
    of: 'the same, of one organization',
  },
  chatContextLengthOfUser: { value: 30_000_000, unit: 'characters', of: 'the same, of one user' },
  chatMessages: {
    value: 2000,
    unit: 'messages',
    of: 'messages of a conversation, and of history of POST /chat/stream',
  },
  chatApprovals: {
    value: 10_000,
    unit: 'values',
    of: 'values that were sent with overridePiiBlock and that history and system of a conversation may repeat',
  },
  conversationTextLength: {
    value: 5_000_000,
    unit: 'characters',
    of: 'the messages and attachments of a conversation',
  },
  conversations: {
    value: 10_000,
    unit: 'conversations',
    of: 'conversations of a user in a project',
  },
  conversationTitleLength: {
    value: 200,
    unit: 'characters',
    of: 'title of a conversation (at least 1)',
  },
  conversationSearchLength: { value: 200, unit: 'characters', of: 'q of GET /chat/conversations' },
  conversationRestoreMinutes: {
    value: 10,
    unit: 'minutes',
    of: 'time to restore a removed conversation',
  },
} as const
