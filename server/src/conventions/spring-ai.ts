import type { WellKnownKind } from '../domain/kinds.ts'
import { firstJson, firstText } from './attribute-reading.ts'
import type { Convention, KeyTable } from './convention.ts'

/*
 * Spring AI's tool calls. Its model calls use OpenTelemetry GenAI.
 */

const keys = {
  kind: ['spring.ai.kind'],
  valueIn: ['spring.ai.tool.call.arguments'],
  valueOut: ['spring.ai.tool.call.result'],
} as const satisfies KeyTable

const kindsByWord: ReadonlyMap<string, WellKnownKind> = new Map([['tool_call', 'tool']])

export const springAi: Convention = {
  title: 'Spring AI',
  about:
    'Tool calls, whose arguments and result it sends only where `spring.ai.tools.observations.include-content` is set. Model calls are OpenTelemetry GenAI.',
  prefixes: ['spring.ai.'],
  keys,
  kinds: kindsByWord,
  kind: ({ attributes }) => kindsByWord.get(firstText(attributes, keys.kind) ?? ''),
  valueIn: ({ attributes }) => firstJson(attributes, keys.valueIn),
  valueOut: ({ attributes }) => firstJson(attributes, keys.valueOut),
}
