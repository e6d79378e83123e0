import { createHash } from 'node:crypto'
import { canonicalJson } from '../../domain/trace-view/canonical-json.ts'
import type { ToolCall } from '../../domain/trace-view/trace-view.ts'

/** Longer values are compared by their hash. */
const plainMax = 200

/** Equal for calls of the same tool with equal arguments and results. */
export function callKey({ name, input, output, error }: ToolCall): string {
  return `${name} ${valueKey(input)} ${valueKey(output)} ${error ?? ''}`
}

export function valueKey(value: unknown): string {
  const text = canonicalJson(value)
  return text.length <= plainMax ? text : createHash('sha256').update(text).digest('base64')
}
