import { limits } from '@assay/contract/limits.ts'
import type { TraceSearch } from './trace-search.ts'

/** The list of traces that have an attribute with this value. Undefined for values that no filter can have. */
export function toAttributeSearch(name: string, value: unknown): TraceSearch | undefined {
  if (name === '' || name.includes('=') || value === '') return undefined
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined
  const filter = `${name}=${String(value)}`
  if (filter.length > limits.traceFilterLength.value) return undefined
  return { attribute: [filter], mode: 'all' }
}
