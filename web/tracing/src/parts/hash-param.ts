/** A secret that a link carries behind its `#`, where browsers send it to nobody. */
export function readHashParam(hash: string, name: string): string | undefined {
  const value = new URLSearchParams(hash.replace(/^#/, '')).get(name)
  return value === null || value === '' ? undefined : value
}
