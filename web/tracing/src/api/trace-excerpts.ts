import type { Conversation } from '@assay/contract/conversation.ts'
import { queryOptions } from '@tanstack/react-query'
import {
  isQuestion,
  parseTurnMessages,
  toText,
  withoutAnswer,
} from '../conversation/turn-messages.ts'
import { readTurn } from './trace-sessions.ts'

/*
 * The beginning of the question and of the answer of a trace, to recognize it by.
 */

export interface TraceExcerpt {
  readonly question: string
  readonly answer: string
}

const maxLength = 300

export function traceExcerptQuery(projectId: string, traceId: string) {
  return queryOptions({
    queryKey: ['trace-excerpt', projectId, traceId],
    queryFn: async ({ signal }): Promise<TraceExcerpt> => {
      const { span } = await readTurn(projectId, traceId, signal)
      return toExcerpt(span?.input, span?.output)
    },
    staleTime: 60_000,
    retry: false,
  })
}

export function toExcerpt(input: unknown, output: unknown): TraceExcerpt {
  const asked = parseTurnMessages(input, 'user')
  const answered = parseTurnMessages(output, 'assistant')
  const question = withoutAnswer(asked, answered).findLast(isQuestion)
  return {
    question: shorten(asked, question && toText(question), input),
    answer: shorten(answered, toText(answered?.messages.at(-1)), output),
  }
}

/** JSON where there is no conversation. */
function shorten(conversation: Conversation | undefined, text: string | undefined, value: unknown) {
  const isOther = conversation === undefined && (value ?? null) !== null
  const shown = isOther ? JSON.stringify(value) : (text ?? '')
  return shown.slice(0, maxLength).replaceAll(/\s+/g, ' ').trim()
}
