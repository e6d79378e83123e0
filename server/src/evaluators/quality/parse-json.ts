import { jsonrepair } from 'jsonrepair'

export type ParsedJson =
  | { readonly is: 'valid' | 'repaired'; readonly value: unknown }
  | { readonly is: 'invalid'; readonly problem: string }

/** Longer texts are not repaired: repairing takes quadratic time. */
const repairedMax = 20_000

/** JSON text; "repaired" also if it is within a code block or other text. */
export function parseJson(text: string): ParsedJson {
  try {
    return { is: 'valid', value: JSON.parse(text) }
  } catch (error) {
    const inner = innerJson(text)
    const value = inner === undefined ? undefined : repaired(inner)
    return value === undefined
      ? { is: 'invalid', problem: error instanceof Error ? error.message : 'not JSON' }
      : { is: 'repaired', value }
  }
}

/** From the first bracket to the last one; to the end of a text that was cut. */
function innerJson(text: string): string | undefined {
  if (text.length > repairedMax) return undefined
  const start = text.search(/[[{]/)
  if (start === -1) return undefined
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  return text.slice(start, end < start ? undefined : end + 1)
}

/** An object or a list; undefined if the text is none. */
function repaired(text: string): unknown {
  try {
    const value: unknown = JSON.parse(jsonrepair(text))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
