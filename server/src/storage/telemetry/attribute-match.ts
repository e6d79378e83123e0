import type { SpanBody } from '../../domain/span.ts'
import type { AttributeFilter } from './port/traces.ts'

/*
 * Whether a span has the attributes that a filter wants: its own, or those of its resource.
 */

/** The filters that the span does not match. */
export function findMissing(
  { attributes, resource }: Pick<SpanBody, 'attributes' | 'resource'>,
  filters: readonly AttributeFilter[],
): readonly AttributeFilter[] {
  if (filters.length === 0) return filters
  const own: unknown = JSON.parse(attributes)
  const shared: unknown = JSON.parse(resource)
  const sources = [own, shared, memberOf(shared, 'attributes')]
  return filters.filter(
    ({ key, value }) => !sources.some((source) => isEqual(memberOf(source, key), value)),
  )
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string, unknown>>)[key]
}

function isEqual(value: unknown, text: string): boolean {
  switch (typeof value) {
    case 'string':
      return value === text
    case 'number':
      return text.trim() !== '' && Number(text) === value
    case 'boolean':
      return String(value) === text
    default:
      return Array.isArray(value) && value.some((element) => isEqual(element, text))
  }
}
