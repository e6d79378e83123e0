import { createHash } from 'node:crypto'
import { canonicalJson } from '../../domain/trace-view/canonical-json.ts'
import type { ToolCall } from '../../domain/trace-view/trace-view.ts'

/** Longer values are compared by their hash. */
const plainMax = 200

/** Equal for calls of the same tool with equal arguments. */
export function requestKey({ name, input }: ToolCall): string {
  return `${name} ${valueKey(input)}`
}

/** Equal for equal requests with equal results. */
export function callKey(call: ToolCall): string {
  return `${requestKey(call)} ${valueKey(call.output)} ${call.error ?? ''}`
}

export function valueKey(value: unknown): string {
  const text = canonicalJson(value)
  return text.length <= plainMax ? text : createHash('sha256').update(text).digest('base64')
}
