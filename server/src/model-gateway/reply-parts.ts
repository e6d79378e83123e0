import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Usage } from '../domain/span.ts'
import { ErrorInReply, ReplyCut, ToolCalled, UnreadableReply } from './reply-errors.ts'
import { toUsage } from './token-usage.ts'

/*
 * The parts of a reply, from the stream of the AI SDK's client.
 */

export type ReceivedPart =
  | { readonly type: 'text' | 'reasoning'; readonly delta: string }
  | ReceivedEnd

export interface ReceivedEnd {
  readonly type: 'end'
  readonly finish: 'stop' | 'length' | 'filter'
  readonly stopReason: string
  readonly usage: Usage
}

/** The end is last, and no delta is empty. Throws for a stream that ends in another way. */
export async function* readParts(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): AsyncGenerator<ReceivedPart> {
  for await (const part of readable(stream)) {
    switch (part.type) {
      case 'text-delta':
        if (part.delta !== '') yield { type: 'text', delta: part.delta }
        break
      case 'reasoning-delta':
        if (part.delta !== '') yield { type: 'reasoning', delta: part.delta }
        break
      case 'error':
        throw isUnfinished(part.error) ? new ReplyCut() : new ErrorInReply(part.error)
      case 'finish':
        yield toEnd(part)
        return
      case 'tool-input-start':
      case 'tool-call':
        throw new ToolCalled()
      default:
    }
  }
  throw new ReplyCut()
}

async function* readable<Part>(stream: ReadableStream<Part>): AsyncGenerator<Part> {
  try {
    yield* stream
  } catch (cause) {
    throw new UnreadableReply('', { cause })
  }
}

/** Of the client for compatible servers: a stream without a finish reason. */
function isUnfinished(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_InvalidResponseDataError'
}

function toEnd({
  finishReason,
  usage,
}: Extract<LanguageModelV4StreamPart, { type: 'finish' }>): ReceivedEnd {
  const finish = toFinish(finishReason)
  return { type: 'end', finish, stopReason: finishReason.unified, usage: toUsage(usage) }
}

function toFinish({ unified, raw }: LanguageModelV4FinishReason): ReceivedEnd['finish'] {
  if (unified === 'length') return 'length'
  if (unified === 'content-filter') return 'filter'
  if (unified === 'error' && raw !== undefined) throw new ErrorInReply(raw)
  // The clients complete a stream that the provider did not.
  if (raw === undefined) throw new ReplyCut()
  return 'stop'
}
