import { nextTurn, type Reply } from './fake-turn.ts'

/*
 * Gemini's generateContent of the fake provider. Thinking is not part of its output count: its 16 and 4
 * equal OpenAI's 20.
 */

interface GenerateContentRequest {
  readonly contents: readonly object[]
  readonly tools?: readonly {
    readonly functionDeclarations?: readonly { readonly name: string }[]
  }[]
}

export function generateContentReply(
  { contents, tools = [] }: GenerateContentRequest,
  path: string,
): Reply {
  const hasResult = JSON.stringify(contents).includes('"functionResponse"')
  const names = tools.flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name }) => name),
  )
  const { number, call, text, input, output, reasoning, cached } = nextTurn(names, hasResult)
  const part =
    call === undefined
      ? { text }
      : { functionCall: { id: 'call_1', name: call.name, args: call.arguments } }
  const whole = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output - reasoning,
      thoughtsTokenCount: reasoning,
      cachedContentTokenCount: cached,
      totalTokenCount: input + output,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
    },
    modelVersion: 'gemini-2.5-flash',
    responseId: `resp-${number}`,
  }
  return path.includes('stream') ? { events: [{ data: whole }] } : { whole }
}
