import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import type { ModelProvider } from '@assay/contract/model-configs.ts'
import { z } from 'zod'
import { isModest } from './model-outbound.ts'

/*
 * Objects from a model: through a response format with a JSON Schema, or one forced tool. Only that channel is read.
 * An object within prose is not searched for, because the text that a model judges can contain a forged one.
 */

type ObjectOptions = Pick<
  LanguageModelV4CallOptions,
  'responseFormat' | 'tools' | 'toolChoice' | 'providerOptions'
>

const toolName = 'answer'

/** These have a forced tool for all their models, and a response format only for some. */
const callsTool: ReadonlySet<ModelProvider> = new Set(['anthropic', 'bedrock'])

export function objectOptions(provider: ModelProvider, schema: z.ZodType): ObjectOptions {
  const jsonSchema = toJsonSchema(schema)
  if (!callsTool.has(provider)) {
    return { responseFormat: { type: 'json', schema: jsonSchema, name: toolName } }
  }
  const description = 'Gives the answer. Call it exactly once.'
  return {
    tools: [{ type: 'function', name: toolName, description, inputSchema: jsonSchema }],
    toolChoice: { type: 'tool', toolName },
    providerOptions: { anthropic: { disableParallelToolUse: true } },
  }
}

type JsonSchema = Extract<
  NonNullable<LanguageModelV4CallOptions['responseFormat']>,
  { type: 'json' }
>['schema']

function toJsonSchema(schema: z.ZodType): NonNullable<JsonSchema> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7' })
  return rest as NonNullable<JsonSchema>
}

type Content = LanguageModelV4GenerateResult['content']

/** The text of the channel that the answer is read from; of several objects, one line for each. */
export function readText(provider: ModelProvider, content: Content, isObject: boolean): string {
  if (isObject && callsTool.has(provider)) {
    const calls = content.filter((part) => part.type === 'tool-call')
    return calls.map(({ input }) => input).join('\n')
  }
  const texts = content.filter((part) => part.type === 'text')
  return texts.map(({ text }) => text).join('\n')
}

/** Undefined unless the text is one JSON value, and of the form of the schema. */
export function parseObject<Value>(
  text: string,
  schema: z.ZodType<Value>,
): { readonly value: Value } | undefined {
  if (!isModest(Buffer.from(text))) return undefined
  try {
    const result = schema.safeParse(JSON.parse(text))
    return result.success ? { value: result.data } : undefined
  } catch {
    return undefined
  }
}
