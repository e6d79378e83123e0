/**
 * Where to go after sign-in: a path of this origin, or undefined. A path begins with exactly one slash; two
 * (or a backslash, which browsers read as one) would name another host.
 */
export function parseNextPath(next: unknown): string | undefined {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next)) return undefined
  // Browsers drop tabs and line ends before they look at the slashes.
  return /[\t\r\n]/.test(next) ? undefined : next
}
