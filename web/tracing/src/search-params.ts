/*
 * The query part of an address: plain names and texts, as a person would type them. A value stays a text even
 * if it looks like a number, so that ids of digits survive. A name that stands there several times has a list.
 */

export function parseSearch(search: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(search)
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length > 1 ? values : (values[0] ?? '')]
    }),
  )
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      if (one === undefined || one === null) continue
      parameters.append(name, typeof one === 'string' ? one : JSON.stringify(one))
    }
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** A text parameter, or undefined for absent, empty and repeated ones. */
export function parseTextParam(
  search: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const value = search[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Keeps text parameters of the given names. */
export function parseTextParams<Name extends string>(...names: readonly Name[]) {
  return (search: Readonly<Record<string, unknown>>): { readonly [N in Name]?: string } => {
    const found = names.map((name) => [name, parseTextParam(search, name)] as const)
    return omitUndefined(Object.fromEntries(found)) as { readonly [N in Name]?: string }
  }
}

type Present<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

/** The same without the parameters that are undefined, so that they leave no trace in the address. */
export function omitUndefined<T extends object>(values: T): Present<T> {
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Present<T>
}

/** Some parameters of a page, undefined for those to take away. */
export type SearchChange<T> = { readonly [Name in keyof T]?: T[Name] | undefined }

/** Every parameter as it was, but for what changes. */
export function updateSearch<T extends object>(before: T, change: SearchChange<T>): T {
  return omitUndefined({ ...before, ...change }) as T
}
