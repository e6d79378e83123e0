/** The address that starts single sign-on and returns to `next`. */
export function startUrl(start: string, next: string): string {
  const url = new URL(start, location.origin)
  url.searchParams.set('return_to', next)
  return url.href
}
