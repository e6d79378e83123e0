import { parseTags } from './parse-tags.ts'

/*
 * Filters of traces in the form of a rule, as text. Empty: any.
 */

export interface FilterValues {
  readonly mode: '' | 'live' | 'simulation'
  readonly trace_name: string
  readonly environment: string
  readonly service: string
  readonly model: string
  /** Separated by commas. */
  readonly tags: string
}

/** The filters that have a value. */
export function toFilters(values: FilterValues) {
  return givenOnly({
    mode: values.mode || undefined,
    name: textOf(values.trace_name),
    environment: textOf(values.environment),
    service: textOf(values.service),
    model: textOf(values.model),
    tag: toTagFilter(values.tags),
  })
}

/** Undefined for a blank text. */
export function textOf(value: string): string | undefined {
  return value.trim() || undefined
}

function toTagFilter(text: string): string[] | undefined {
  const tags = parseTags(text)
  return tags.length === 0 ? undefined : tags
}

type Given<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** The members that are not undefined. */
export function givenOnly<Members extends object>(members: Members): Given<Members> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Given<Members>
}
