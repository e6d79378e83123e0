import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ModelMessage } from '../../model-gateway/model-call.ts'

/*
 * The messages of a conversation in the form that models read.
 */

export interface AttachedText {
  readonly name: string
  readonly text: string
}

/**
 * The message after its attachments, each in a fence with its name that its text cannot close. A text can have a
 * megabyte: other requests have their turn after each.
 */
export async function withAttachments(
  message: string,
  attachments: Iterable<AttachedText> | AsyncIterable<AttachedText>,
): Promise<string> {
  const fenced: string[] = []
  for await (const { name, text } of attachments) {
    const fence = fenceOf(text)
    fenced.push(`Attached file ${name}:\n${fence}\n${text}\n${fence}`)
    await nextTurn()
  }
  return [...fenced, message].join('\n\n')
}

const backtick = '`'.charCodeAt(0)

/** Longer than any in the text. A regular expression would take 20 ms for a hostile file. */
function fenceOf(text: string): string {
  let longest = 2
  let run = 0
  for (let at = 0; at < text.length; at += 1) {
    run = text.charCodeAt(at) === backtick ? run + 1 : 0
    if (run > longest) longest = run
  }
  return '`'.repeat(longest + 1)
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
