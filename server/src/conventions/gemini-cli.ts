import { firstText } from './attribute-reading.ts'
import type { Convention } from './convention.ts'
import type { DecodedSpan } from './decoded-span.ts'

/*
 * Gemini CLI sends a span and a log record of each model call, in different traces. Only the record has the cache
 * and all of the output, so the model call is made from it (coding-agents.ts) and the span is a chain around it.
 */

const call = 'llm_call'

export const geminiCli: Convention = {
  title: 'Gemini CLI',
  about:
    'Its spans `llm_call` are chains without tokens: the model calls are made from the log records `gemini_cli.api_response`, because only these have the cache and the reasoning. Everything else is OpenTelemetry GenAI.',
  prefixes: [],
  spanNames: [call],
  keys: {},
  kind: (span) => (isCall(span) ? 'chain' : undefined),
  usage: (span) => (isCall(span) ? 'running-total' : undefined),
}

function isCall({ name, attributes }: DecodedSpan): boolean {
  return name === call && firstText(attributes, ['gen_ai.agent.name']) === 'gemini-cli'
}
