/*
 * Retention in days: parsing, and what a change deletes.
 */

const dayMs = 86_400_000

/** The instant before which everything is deleted. */
export function retentionCutoff(days: number, nowMs: number): string {
  return new Date(nowMs - days * dayMs).toISOString()
}

export type ParsedDays = { readonly days: number } | { readonly problem: string }

/** A typed number of days, or an error message. */
export function parseDays(text: string, maxDays: number): ParsedDays {
  const typed = text.trim()
  if (typed === '') return { problem: 'Required' }
  if (!/^\d+$/.test(typed)) return { problem: 'Must be a whole number of days' }
  const days = Number(typed)
  if (days < 1) return { problem: 'Must be at least one day' }
  if (days > maxDays) return { problem: `Must be at most ${maxDays.toLocaleString('en-US')} days` }
  return { days }
}

/** Whether a change can delete data that would have been kept; null is the default of the service. */
export function isShorter(from: number | null, to: number | null): boolean {
  if (to === null) return from !== null
  return from === null || to < from
}
