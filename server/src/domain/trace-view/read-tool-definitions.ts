import { type Fields, isFields, parsed } from '@assay/contract/message-parts.ts'
import { textOf } from './canonical-json.ts'
import type { ToolDefinition, ViewSpan } from './trace-view.ts'

/*
 * Definitions of tools, as sent to a model or listed by an MCP server: OpenAI, Anthropic, Gemini, MCP, and the
 * attributes of OpenTelemetry, OpenInference and the AI SDK.
 */

const listAttributes = ['gen_ai.tool.definitions', 'ai.prompt.tools', 'gen_ai.request.tools']

export function readToolDefinitions(span: ViewSpan): readonly ToolDefinition[] {
  const { input, attributes } = span
  const own = isFields(input) ? parsed(input['tools']) : undefined
  const reported = listAttributes
    .map((name) => parsed(attributes[name]))
    .find((one) => Array.isArray(one))
  const lists = [own, reported, indexed(attributes)].find((one) => isFilled(one))
  return toDefinitions(lists, span, false)
}

/** Those in the result of `tools/list`. */
export function readListedTools(span: ViewSpan): readonly ToolDefinition[] {
  if (span.kind !== 'mcp') return []
  const output = parsed(span.output)
  return isFields(output) ? toDefinitions(output['tools'], span, true) : []
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

/** OpenInference: `llm.tools.0.tool.json_schema`. */
function indexed(attributes: Fields): unknown[] {
  const found: unknown[] = []
  for (let n = 0; ; n += 1) {
    const one = parsed(attributes[`llm.tools.${n}.tool.json_schema`])
    if (one === undefined) return found
    found.push(one)
  }
}

function toDefinitions(list: unknown, span: ViewSpan, isMcp: boolean): readonly ToolDefinition[] {
  if (!Array.isArray(list)) return []
  return list
    .map((one) => parsed(one))
    .flatMap((one) => (isFields(one) ? declared(one, span, isMcp) : []))
}

/** Gemini declares several functions in one tool. */
function declared(tool: Fields, span: ViewSpan, isMcp: boolean): ToolDefinition[] {
  const several = tool['functionDeclarations'] ?? tool['function_declarations']
  if (Array.isArray(several)) {
    return several.filter(isFields).flatMap((one) => declared(one, span, isMcp))
  }
  const inner = isFields(tool['function']) ? tool['function'] : tool
  const { name, description } = inner
  if (typeof name !== 'string') return []
  const parameters = parsed(
    inner['parameters'] ?? inner['input_schema'] ?? inner['inputSchema'] ?? inner['json_schema'],
  )
  const outputSchema = parsed(inner['outputSchema'] ?? inner['output_schema'])
  return [
    {
      ...{ spanId: span.spanId, name, description: textOf(description), isMcp },
      parameters: isFields(parameters) ? unwrapped(parameters) : undefined,
      outputSchema: isFields(outputSchema) ? outputSchema : undefined,
      annotations: isFields(inner['annotations']) ? inner['annotations'] : {},
    },
  ]
}

/** The AI SDK wraps schemas: `{jsonSchema: {…}}`. */
function unwrapped(schema: Fields): Fields {
  return isFields(schema['jsonSchema']) ? schema['jsonSchema'] : schema
}
