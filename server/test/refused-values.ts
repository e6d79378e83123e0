import type { AnyEndpoint } from '@assay/contract/endpoint.ts'
import type { z } from 'zod'

/*
 * Values that the schemas of an endpoint refuse: one for each path parameter and each field of the query that does not
 * accept every text, and that can be refused alone.
 */

export interface RefusedValue {
  readonly part: 'params' | 'query'
  readonly field: string
  readonly value: string
}

const candidates = ['not a value of this field', 'x'.repeat(1000)]

export function listRefusedValues(declared: AnyEndpoint): readonly RefusedValue[] {
  return (['params', 'query'] as const).flatMap((part) => {
    const schema: (z.ZodType & { shape?: object }) | undefined = declared[part]
    const fields = Object.keys(schema?.shape ?? {})
    const others = part === 'params' ? Object.fromEntries(fields.map((name) => [name, 'x'])) : {}
    return fields.flatMap((field) => {
      const value = candidates.find((text) => {
        const issues = schema?.safeParse({ ...others, [field]: text }).error?.issues ?? []
        return issues.length > 0 && issues.every(({ path }) => path[0] === field)
      })
      return value === undefined ? [] : [{ part, field, value }]
    })
  })
}
