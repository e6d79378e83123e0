import type { Conversation } from '@assay/contract/conversations.ts'

/** The title of a conversation; a description where it has none that can be read here. */
export function formatTitle({
  title,
  encrypted,
}: Pick<Conversation, 'title' | 'encrypted'>): string {
  if (title !== '') return title
  return encrypted ? 'Encrypted conversation' : 'Untitled conversation'
}
