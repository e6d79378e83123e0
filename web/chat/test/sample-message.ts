import type { ConversationMessage } from '@assay/contract/conversations.ts'

/** A message for tests that need only a few of its members. */
export function sampleMessage(
  id: string,
  changes: Partial<ConversationMessage> = {},
): ConversationMessage {
  return {
    id,
    parent_id: null,
    role: 'user',
    content: id,
    status: 'complete',
    attachments: [],
    created_at: '2026-11-20T10:00:00Z',
    ...changes,
  }
}
