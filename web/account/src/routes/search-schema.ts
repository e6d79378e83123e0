import type { Field } from './search-fields.ts'
import { omitUndefined } from './search-params.ts'

/*
 * The search parameters of a page as data: one field per parameter.
 */

type RawSearch = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, Field<unknown>>>

export interface SearchSchema<Search> {
  readonly fields: Fields
  /** Drops unknown and invalid parameters, so that old links still open. */
  readonly parse: (search: RawSearch) => Search
}

/** The parameters that a schema parses to. */
export type SearchOf<Schema> = Schema extends SearchSchema<infer Search> ? Search : never

export type SearchOfFields<Declared extends Fields> = {
  readonly [Name in keyof Declared]?: Declared[Name] extends Field<infer Value> ? Value : never
}

/** @param finish changes the valid parameters, where one depends on another. */
export function searchSchema<Declared extends Fields>(
  fields: Declared,
  finish = (search: RawSearch): RawSearch => search,
): SearchSchema<SearchOfFields<Declared>> {
  const parse = (search: RawSearch) => {
    const values = Object.entries(fields).map(([name, field]) => [
      name,
      parseField(field, search[name]),
    ])
    return finish(omitUndefined(Object.fromEntries(values))) as SearchOfFields<Declared>
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

function parseField({ parse, canBeEmpty }: Field<unknown>, value: unknown): unknown {
  const isAbsent = value === undefined || (value === '' && canBeEmpty !== true)
  return isAbsent ? undefined : parse(value)
}
