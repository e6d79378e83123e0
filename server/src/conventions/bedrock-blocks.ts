import { toJsonText } from '../domain/json-text.ts'
import { toJson } from './attribute-reading.ts'
import type { AttributeValue } from './decoded-span.ts'
import { objectJson } from './message-json.ts'

/*
 * The content blocks of Bedrock's Converse, in which Strands sends every message: a list of objects, each named
 * by its one member. Turned into the parts of OpenTelemetry GenAI.
 */

// Longer content is left as sent, and so is content that only looks like blocks.
const maxLength = 262_144
const firstIsBlock =
  /^\s*\[\s*\{\s*"(?:text|toolUse|toolResult|reasoningContent|image|document)"\s*:/

type Block = Readonly<Record<string, unknown>>

/** Undefined for content of any other form. */
export function bedrockParts(content: AttributeValue): string[] | undefined {
  if (typeof content !== 'string' || content.length > maxLength) return undefined
  if (!firstIsBlock.test(content)) return undefined
  let blocks: unknown
  try {
    blocks = JSON.parse(toJson(content))
  } catch {
    return undefined
  }
  return Array.isArray(blocks) ? blocks.map((block) => toPart(block)) : undefined
}

function toPart(block: unknown): string {
  if (typeof block === 'object' && block !== null) {
    const { text, toolUse, toolResult, reasoningContent } = block as Block
    if (typeof text === 'string') return objectJson({ type: '"text"', content: toJsonText(text) })
    if (isBlock(toolUse)) {
      return objectJson({
        type: '"tool_call"',
        id: toJsonText(toolUse['toolUseId']),
        name: toJsonText(toolUse['name']),
        arguments: toJsonText(toolUse['input']),
      })
    }
    if (isBlock(toolResult)) {
      return objectJson({
        type: '"tool_call_response"',
        id: toJsonText(toolResult['toolUseId']),
        response: toJsonText(toolResult['content']),
      })
    }
    const thought = isBlock(reasoningContent) && reasoningContent['reasoningText']
    if (isBlock(thought)) {
      return objectJson({ type: '"reasoning"', content: toJsonText(thought['text']) })
    }
  }
  return toJsonText(block)
}

function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
