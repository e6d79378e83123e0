import { isFields, parsed } from '@assay/contract/message-parts.ts'
import type { JsonValue } from './canonical-json.ts'
import type { Expectations, ViewSpan } from './trace-view.ts'

const prefix = 'eval.'
const tagPrefix = 'eval:'

/** Of sources with the same key, the attribute wins over the input, and the input over the tag. */
export function readExpectations(
  root: ViewSpan | undefined,
  tags: readonly string[],
): Expectations {
  const found = new Map<string, JsonValue>()
  for (const tag of tags) {
    const [, key, value] = /^eval:([^=]+)=(.*)$/s.exec(tag) ?? []
    if (tag.startsWith(tagPrefix) && key !== undefined) found.set(key, toValue(value))
  }
  const input = parsed(root?.input)
  const inInput = isFields(input) ? parsed(input['eval']) : undefined
  if (isFields(inInput))
    for (const [key, value] of Object.entries(inInput)) found.set(key, toValue(value))
  for (const [key, value] of Object.entries(root?.attributes ?? {})) {
    if (key.startsWith(prefix)) found.set(key.slice(prefix.length), toValue(value))
  }
  return found
}

/** JSON text is parsed, also of numbers and booleans; other text is itself. */
function toValue(value: unknown): JsonValue {
  if (typeof value !== 'string') return (value ?? null) as JsonValue
  if (!/^\s*(?:[[{]|-?\d|true\s*$|false\s*$|null\s*$|")/.test(value)) return value
  try {
    return JSON.parse(value) as JsonValue
  } catch {
    return value
  }
}
