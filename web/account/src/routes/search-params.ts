/*
 * Search parameters as plain names and text. Values stay text even if they look like numbers, so that
 * numeric IDs survive. A repeated name becomes a list.
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

type Present<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

/** Drops undefined values, which would appear in the URL. */
export function omitUndefined<T extends object>(values: T): Present<T> {
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Present<T>
}

/** Some parameters of a page; undefined removes one. */
export type SearchChange<T> = { readonly [Name in keyof T]?: T[Name] | undefined }

/** The parameters with a change applied. */
export function updateSearch<T extends object>(before: T, change: SearchChange<T>): T {
  return omitUndefined({ ...before, ...change }) as T
}
