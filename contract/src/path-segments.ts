/*
 * What one segment of a path can be. Browsers and proxies resolve `.` and `..`, also when escaped as `%2e`: a
 * request for such an id would reach another endpoint. Without zod, for the client.
 */

/** Whether an address can contain the text as a segment of its path, once it is escaped. */
export function isPathSegment(text: string): boolean {
  return text !== '' && !isDotSegment(text)
}

/** `.` or `..`. */
export function isDotSegment(text: string): boolean {
  return text === '.' || text === '..'
}
