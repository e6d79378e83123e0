import { type Message, parseConversation } from '@assay/contract/conversation.ts'
import type { Part } from '@assay/contract/message-parts.ts'

/*
 * Outputs as texts whose lines can be compared.
 */

/** Both outputs as text. Messages are compared as what was written if they differ in that, otherwise as JSON. */
export function formatOutputs(a: unknown, b: unknown): readonly [a: string, b: string] {
  const texts = [formatMessages(a), formatMessages(b)] as const
  const plain = [formatPlain(a), formatPlain(b)] as const
  const [textA = plain[0], textB = plain[1]] = texts
  const isHidden = textA === textB && plain[0] !== plain[1]
  return isHidden ? plain : [textA, textB]
}

function formatPlain(output: unknown): string {
  if (output === null || output === undefined) return ''
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2)
}

/** Undefined if the output is not a conversation. */
function formatMessages(output: unknown): string | undefined {
  const messages = parseConversation(output)?.messages
  return messages?.map(formatMessage).join('\n\n')
}

function formatMessage({ role, parts }: Message): string {
  return [`${role}:`, ...parts.map(formatPart)].join('\n')
}

function formatPart(part: Part): string {
  switch (part.is) {
    case 'text':
      return part.text
    case 'reasoning':
      return `Reasoning: ${part.text}`
    case 'call':
      return `Tool call ${part.name}: ${formatPlain(part.input)}`
    case 'result':
      return `Tool result: ${formatPlain(part.output)}`
    case 'media':
      return `Attachment: ${part.link ?? part.what}`
    case 'other':
      return formatPlain(part.value)
  }
}
