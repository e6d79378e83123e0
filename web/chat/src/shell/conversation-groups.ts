import type { Conversation } from '@assay/contract/conversations.ts'

/*
 * The sections of the list of conversations, by the local day of the last message.
 */

export interface ConversationGroup {
  readonly title: string
  readonly conversations: readonly Conversation[]
}

/** @param conversations the newest first */
export function groupByDay(
  conversations: readonly Conversation[],
  now: Date,
): readonly ConversationGroup[] {
  const groups = Map.groupBy(conversations, ({ updated_at }) => toTitle(new Date(updated_at), now))
  return [...groups].map(([title, members]) => ({ title, conversations: members }))
}

const monthOf = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric' })

function toTitle(at: Date, now: Date): string {
  const daysAgo = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
  if (at >= daysAgo(0)) return 'Today'
  if (at >= daysAgo(1)) return 'Yesterday'
  if (at >= daysAgo(7)) return 'Previous 7 days'
  if (at >= daysAgo(30)) return 'Previous 30 days'
  return monthOf.format(at)
}
