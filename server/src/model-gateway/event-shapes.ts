import type { ModelProvider } from '@assay/contract/model-configs.ts'
import type { Usage } from '../domain/span.ts'
import {
  chunkUsage,
  contentUsage,
  type Members,
  membersOf,
  messageUsage,
  toCountedUsage,
} from './event-usage.ts'
import { ErrorInReply } from './reply-errors.ts'

/*
 * What the clients of providers get of the events of a reply: only what a text reply needs. They would keep the rest
 * until its end, such as calls of tools and probabilities of tokens, of a provider that anybody can configure.
 */

export interface EventShape {
  /** Undefined: nothing. */
  read(event: Members): object | undefined
  /** At the end of a stream that was not cut. */
  end(): object | undefined
  /** What has been reported so far. */
  usage(): Usage
}

/** Bedrock has no such events. */
export function openEventShape(provider: ModelProvider): EventShape {
  if (provider === 'anthropic') return withUsage(toMessageEvent, messageUsage)
  if (provider === 'google') return withUsage(toGeneratedContent, contentUsage)
  const members = deltaMembers[provider] ?? ['content', 'refusal']
  const shape = openChunkShape(members)
  if (provider !== 'mistral') return shape
  return {
    ...shape,
    read(event) {
      throwReported(event)
      return shape.read(event)
    },
  }
}

const deltaMembers: Readonly<Partial<Record<ModelProvider, readonly string[]>>> = {
  mistral: ['content'],
  'openai-compatible': ['content', 'refusal', 'reasoning', 'reasoning_content'],
}

/** `counts`: those of an event, in a record; later ones replace earlier ones. */
function withUsage(read: EventShape['read'], counts: (event: Members) => Members): EventShape {
  let reported: Members = {}
  return {
    read(event) {
      reported = { ...reported, ...counts(event) }
      return read(event)
    },
    end: () => undefined,
    usage: () => toCountedUsage(reported),
  }
}

/** OpenAI's chunks. Finish reason and usage come last, in one chunk: some servers repeat the usage in each. */
function openChunkShape(members: readonly string[]): EventShape {
  let finishReason: unknown
  let usage: unknown
  const toChunk = (delta: object, more: object = {}) => ({
    choices: [{ index: 0, delta, ...more }],
  })
  return {
    read(event) {
      if (event['error'] !== undefined && event['error'] !== null) return { error: event['error'] }
      usage = event['usage'] ?? usage
      const choice = membersOf(firstOf(event['choices']))
      finishReason = choice['finish_reason'] ?? finishReason
      const delta = membersOf(choice['delta'])
      const kept = members.filter((name) => hasContent(delta[name]))
      if (kept.length === 0) return undefined
      return toChunk(Object.fromEntries(kept.map((name) => [name, delta[name]])))
    },
    end() {
      if (finishReason === undefined && usage === undefined) return undefined
      return { ...toChunk({}, { finish_reason: finishReason }), usage }
    },
    usage: () => toCountedUsage(chunkUsage(membersOf(usage))),
  }
}

function hasContent(content: unknown): boolean {
  return (typeof content === 'string' || Array.isArray(content)) && content.length > 0
}

const blockTypes: ReadonlySet<unknown> = new Set(['text', 'thinking'])
const blockDeltas: ReadonlySet<unknown> = new Set(['text_delta', 'thinking_delta'])

function toMessageEvent(event: Members): object | undefined {
  switch (event['type']) {
    case 'message_start': {
      const { id, role, usage } = membersOf(event['message'])
      return { type: event['type'], message: { id, role, usage } }
    }
    case 'content_block_start':
      return blockTypes.has(membersOf(event['content_block'])['type']) ? event : undefined
    case 'content_block_delta':
      return blockDeltas.has(membersOf(event['delta'])['type']) ? event : undefined
    case 'message_delta': {
      const { stop_reason, stop_sequence } = membersOf(event['delta'])
      return { type: event['type'], delta: { stop_reason, stop_sequence }, usage: event['usage'] }
    }
    case 'content_block_stop':
    case 'message_stop':
    case 'error':
      return event
    default:
      return undefined
  }
}

function toGeneratedContent(event: Members): object | undefined {
  throwReported(event)
  const { usageMetadata, promptFeedback } = event
  const { content, finishReason } = membersOf(firstOf(event['candidates']))
  const parts = membersOf(content)['parts']
  const texts = (Array.isArray(parts) ? parts : []).flatMap((part: unknown) => {
    const { text, thought } = membersOf(part)
    return typeof text === 'string' ? [{ text, thought }] : []
  })
  const { blockReason } = membersOf(promptFeedback)
  return {
    candidates: [{ content: { role: 'model', parts: texts }, finishReason }],
    usageMetadata,
    ...(blockReason === undefined ? {} : { promptFeedback: { blockReason } }),
  }
}

/** For clients that do not know such an event. */
function throwReported({ error }: Members): void {
  if (error !== undefined && error !== null) throw new ErrorInReply(error)
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined
}
