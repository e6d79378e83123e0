/*
 * Converts between UTC instants and the value of a `datetime-local` input.
 */

/** `2026-11-20T14:03:22`; empty for undefined. */
export function localInput(instant: string | undefined): string {
  if (instant === undefined) return ''
  const at = new Date(instant)
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${date}T${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`
}

/** Undefined for an empty field. */
export function utcInstant(field: string): string | undefined {
  const atMs = Date.parse(field)
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString()
}

function two(part: number): string {
  return String(part).padStart(2, '0')
}
