import type { Attributes, AttributeValue } from './decoded-span.ts'

/*
 * Lists that are spread over keys, `llm.input_messages.<i>.message.role` and the like. The numbers are the
 * sender's, so they order items and never become the length of anything.
 */

/**
 * The items of the list whose keys begin with `prefix`, in the order of their indices: of each the attributes
 * that follow its index, `message.role`. Null is no value.
 */
export function indexedItems(attributes: Attributes, prefix: string): readonly Attributes[] {
  const items = new Map<number, Map<string, AttributeValue>>()
  for (const [key, value] of attributes) {
    if (value === null || !key.startsWith(prefix)) continue
    const dot = key.indexOf('.', prefix.length)
    if (dot === -1) continue
    const digits = key.slice(prefix.length, dot)
    if (!indexForm.test(digits)) continue
    const index = Number(digits)
    const item = items.get(index) ?? new Map<string, AttributeValue>()
    items.set(index, item.set(key.slice(dot + 1), value))
  }
  return [...items].sort(([a], [b]) => a - b).map(([, item]) => item)
}

// Up to 9999. Keys with a larger index belong to no list; they stay among the raw attributes like all others.
const indexForm = /^(?:0|[1-9]\d{0,3})$/
