import type { JsonText } from '../domain/json-text.ts'
import type { WellKnownKind } from '../domain/kinds.ts'
import { firstJson, firstText } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'
import type { DecodedSpan } from './decoded-span.ts'
import { listJson, objectJson } from './message-json.ts'

/*
 * Mastra's content. Its exporter sends everything else as OpenTelemetry GenAI. Before 1.0 its keys had no prefix.
 */

const keys = {
  kind: ['mastra.span.type'],
  messagesIn: ['mastra.agent_run.input'],
  valueIn: ['mastra.<span type>.input', 'input'],
  valueOut: ['mastra.<span type>.output', 'output'],
} as const satisfies KeyTable

const kindsByType: ReadonlyMap<string, WellKnownKind> = new Map([
  ['agent_run', 'agent'],
  ['workflow_run', 'chain'],
  ['tool_call', 'tool'],
  ['mcp_tool_call', 'tool'],
])

export const mastra: Convention = {
  title: 'Mastra',
  about:
    'The content of its spans; the keys without a prefix are those of before 1.0. The input of an agent with system instructions is a message after them.',
  prefixes: ['mastra.'],
  keys,
  kinds: kindsByType,
  kind: (span) => kindsByType.get(readType(span) ?? ''),
  messagesIn: (span) => (isInstructed(span) ? messagesIn(span) : undefined),
  valueIn: (span) => (isInstructed(span) ? undefined : content(span, 'input')),
  valueOut: (span) => content(span, 'output'),
}

function readType({ attributes }: DecodedSpan): string | undefined {
  return firstText(attributes, keys.kind)
}

function isInstructed(span: DecodedSpan): boolean {
  return readType(span) === 'agent_run' && span.attributes.has('gen_ai.system_instructions')
}

function content(span: DecodedSpan, side: 'input' | 'output'): JsonText | undefined {
  const type = readType(span)
  return type === undefined
    ? undefined
    : firstJson(span.attributes, [`mastra.${type}.${side}`, side])
}

/** Messages as the agent got them, or its text as one. */
function messagesIn(span: DecodedSpan): JsonText | undefined {
  const input = content(span, 'input')
  if (input === undefined || !input.startsWith('"')) return input
  const part = objectJson({ type: '"text"', content: input })
  return listJson([objectJson({ role: '"user"', parts: listJson([part]) })])
}
