import type { ModelMessage } from '../../model-gateway/model-call.ts'

/*
 * The messages of a conversation in the form that models read.
 */

export interface AttachedText {
  readonly name: string
  readonly text: string
}

/** The message after its attachments, each in a fence with its name that its text cannot close. */
export function withAttachments(message: string, attachments: readonly AttachedText[]): string {
  const fenced = attachments.map(({ name, text }) => {
    const fence = '`'.repeat(Math.max(3, longestFence(text) + 1))
    return `Attached file ${name}:\n${fence}\n${text}\n${fence}`
  })
  return [...fenced, message].join('\n\n')
}

function longestFence(text: string): number {
  let longest = 0
  for (const [fence] of text.matchAll(/`+/g)) longest = Math.max(longest, fence.length)
  return longest
}

/** Without empty messages, and with those of one role that follow each other as one: some providers refuse both. */
export function toModelMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const merged: ModelMessage[] = []
  for (const { role, content } of messages) {
    if (content.trim() === '') continue
    const last = merged.at(-1)
    if (last?.role === role)
      merged[merged.length - 1] = { role, content: `${last.content}\n\n${content}` }
    else merged.push({ role, content })
  }
  return merged
}
