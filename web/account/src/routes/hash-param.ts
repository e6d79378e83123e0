/** A secret in the fragment of a link, which browsers do not send. */
export function readHashParam(hash: string, name: string): string | undefined {
  const value = new URLSearchParams(hash.replace(/^#/, '')).get(name)
  return value === null || value === '' ? undefined : value
}
