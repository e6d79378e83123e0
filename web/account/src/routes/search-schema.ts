import { z } from 'zod'
import { omitUndefined } from './search-params.ts'

/*
 * The search parameters of a page as data: one zod schema per parameter.
 */

type RawSearch = Readonly<Record<string, unknown>>

export interface SearchSchema<Search> {
  readonly fields: z.ZodRawShape
  /** Drops unknown and invalid parameters, so that old links still open. */
  readonly parse: (search: RawSearch) => Search
}

/** The parameters that a schema parses to. */
export type SearchOf<Schema> = Schema extends SearchSchema<infer Search> ? Search : never

/** A value of a field, without the undefined of optional fields. */
type Value<Field> = Exclude<z.output<Field>, undefined>
export type SearchOfFields<Fields extends z.ZodRawShape> = {
  readonly [Name in keyof Fields]?: Value<Fields[Name]>
}

/** @param finish changes the valid parameters, where one depends on another. */
export function searchSchema<Fields extends z.ZodRawShape>(
  fields: Fields,
  finish = (search: RawSearch): RawSearch => search,
): SearchSchema<SearchOfFields<Fields>> {
  const parse = (search: RawSearch) => {
    const values = Object.entries(fields).map(([name, field]) => [
      name,
      parseField(field, search[name]),
    ])
    return finish(omitUndefined(Object.fromEntries(values))) as SearchOfFields<Fields>
  }
  return { fields, parse }
}

/** The names of the parameters whose values are invalid. */
export function invalidParams({ fields }: SearchSchema<unknown>, search: RawSearch): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = search[name]
    const isAbsent = value === undefined || value === ''
    return isAbsent || parseField(field, value) !== undefined ? [] : [name]
  })
}

function parseField(field: z.core.$ZodType, value: unknown): unknown {
  if (value === undefined || (value === '' && !emptyIsValue.has(field))) return undefined
  return z.safeParse(field, value).data
}

/** The fields in which an empty text is a value. In others, it stands for an absent parameter. */
const emptyIsValue = z.registry<{ readonly isValue: true }>()

export function allowEmpty<Field extends z.ZodType>(field: Field): Field {
  emptyIsValue.add(field, { isValue: true })
  return field
}

export const text = z.string()

/** A switch that is on if the parameter is present. */
export const flag = z.literal('1')

/** A value as JSON text in the URL. */
export function jsonText<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (typeof value === 'string' ? parseJson(value) : value), schema)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
