/*
 * Durations, costs and shares in the sentences of results, in the form that the pages use.
 */

const second = 1000
const minute = 60 * second

/** `45 ms`, `2.50 s`, `12.3 s`, `50 min 00 s`, `3 h 05 min`. */
export function formatDuration(ms: number): string {
  if (ms < second) return `${Math.round(ms)} ms`
  if (ms < 10 * second) return `${(ms / second).toFixed(2)} s`
  if (ms < minute - 50) return `${(ms / second).toFixed(1)} s`
  const seconds = Math.round(ms / second)
  if (seconds < 3600) return twoUnits(seconds, 'min', 's')
  return twoUnits(Math.round(seconds / 60), 'h', 'min')
}

function twoUnits(count: number, larger: string, smaller: string): string {
  const rest = String(count % 60).padStart(2, '0')
  return `${Math.floor(count / 60)} ${larger} ${rest} ${smaller}`
}

/** `$0.10`, `$0.312`, `$12.35`, `$0.00042`. */
export function formatUsd(usd: number): string {
  if (usd > 0 && usd < 0.01)
    return `$${usd.toLocaleString('en-US', { maximumSignificantDigits: 2 })}`
  const maximumFractionDigits = usd < 1 ? 3 : 2
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits })}`
}

/** `33%` of 0.33. */
export function formatShare(share: number): string {
  return `${Math.round(100 * share)}%`
}
