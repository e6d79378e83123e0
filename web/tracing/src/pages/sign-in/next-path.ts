/**
 * The path to open after sign-in, or undefined. It starts with exactly one slash: two (or a backslash, which
 * browsers treat as one) would lead to another host.
 */
export function parseNextPath(next: unknown): string | undefined {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next)) return undefined
  // Browsers remove tabs and line breaks before they parse the slashes.
  return /[\t\r\n]/.test(next) ? undefined : next
}
