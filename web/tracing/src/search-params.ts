/*
 * The query part of an address: plain names and texts, as a person would type them. A value stays a text even
 * if it looks like a number, so that ids of digits survive.
 */

export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value === undefined || value === null) continue
    parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** A text parameter, or undefined for absent and empty ones. */
export function textIn(
  search: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const value = search[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
