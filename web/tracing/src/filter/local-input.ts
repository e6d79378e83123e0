/*
 * Between an instant in UTC and what a browser's date and time field holds: local time without a zone.
 */

/** `2026-11-20T14:03:22` for the field; empty for no instant. */
export function localInput(instant: string | undefined): string {
  if (instant === undefined) return ''
  const at = new Date(instant)
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${date}T${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`
}

/** The instant a field means, or undefined when it is empty. */
export function utcInstant(field: string): string | undefined {
  const atMs = Date.parse(field)
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString()
}

function two(part: number): string {
  return String(part).padStart(2, '0')
}
