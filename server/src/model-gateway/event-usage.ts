import type { Usage } from '../domain/span.ts'
import { toUsage } from './token-usage.ts'

/*
 * The usage that the events of a reply report on the way, for replies that do not reach their end.
 */

export type Members = Readonly<Record<string, unknown>>

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

/** Of OpenAI: servers that repeat the usage in each chunk. */
export function chunkUsage(usage: Members): Members {
  return {
    input: usage['prompt_tokens'],
    output: usage['completion_tokens'],
    cacheRead: membersOf(usage['prompt_tokens_details'])['cached_tokens'],
    reasoning: membersOf(usage['completion_tokens_details'])['reasoning_tokens'],
  }
}

/** Of Anthropic: the input comes first, without what the cache has of it, and the output last. */
export function messageUsage(event: Members): Members {
  if (event['type'] === 'message_delta') {
    return { output: membersOf(event['usage'])['output_tokens'] }
  }
  if (event['type'] !== 'message_start') return {}
  const usage = membersOf(membersOf(event['message'])['usage'])
  const cacheRead = usage['cache_read_input_tokens'] ?? 0
  const cacheWrite = usage['cache_creation_input_tokens'] ?? 0
  const input = toNumber(usage['input_tokens']) + toNumber(cacheRead) + toNumber(cacheWrite)
  return { input, cacheRead, cacheWrite }
}

/** Of Google: in each event, with the thoughts apart from the output. */
export function contentUsage(event: Members): Members {
  const usage = membersOf(event['usageMetadata'])
  if (usage['promptTokenCount'] === undefined) return {}
  const reasoning = usage['thoughtsTokenCount'] ?? 0
  const output = toNumber(usage['candidatesTokenCount'] ?? 0) + toNumber(reasoning)
  return {
    ...{ input: usage['promptTokenCount'], output, reasoning },
    cacheRead: usage['cachedContentTokenCount'],
  }
}

/** Unknown unless each count can be one. */
export function toCountedUsage({
  input,
  output,
  cacheRead,
  cacheWrite,
  reasoning,
}: Members): Usage {
  const count = (value: unknown) =>
    value === undefined || value === null ? undefined : toNumber(value)
  return toUsage({
    inputTokens: {
      ...{ total: count(input), noCache: undefined },
      ...{ cacheRead: count(cacheRead), cacheWrite: count(cacheWrite) },
    },
    outputTokens: { total: count(output), text: undefined, reasoning: count(reasoning) },
  })
}

function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN
}
