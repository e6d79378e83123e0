/*
 * Instants as nanoseconds since 1970-01-01T00:00:00Z, the unit of OpenTelemetry. A bigint, because a double
 * loses the last digits of current dates.
 */

export type Instant = bigint

const perMilli = 1_000_000n

/** The last instant that fits a signed 64-bit count of nanoseconds, rounded down to a year: 2261-12-31. */
export const lastInstant: Instant = BigInt(Date.UTC(2262, 0, 1)) * perMilli - 1n

/** Parses `2026-01-31T12:00:00.123456789Z`; digits beyond the ninth are dropped. The text must be valid. */
export function parseInstant(iso: string): Instant {
  const dot = iso.indexOf('.')
  if (dot === -1) return BigInt(Date.parse(iso)) * perMilli
  const seconds = Date.parse(`${iso.slice(0, dot)}Z`)
  const fraction = iso
    .slice(dot + 1, -1)
    .slice(0, 9)
    .padEnd(9, '0')
  return BigInt(seconds) * perMilli + BigInt(fraction)
}

/** ISO 8601 in UTC with three, six or nine fractional digits, as few as possible. */
export function formatInstant(instant: Instant): string {
  const isoMillis = new Date(Number(instant / perMilli)).toISOString()
  const rest = instant % perMilli
  if (rest === 0n) return isoMillis
  const digits = rest.toString().padStart(6, '0')
  const fractionDigits = digits.endsWith('000') ? digits.slice(0, 3) : digits
  return `${isoMillis.slice(0, -1)}${fractionDigits}Z`
}

/** Exact to the nanosecond before it is rounded to a double. */
export function millisBetween(start: Instant, end: Instant): number {
  return Number(end - start) / 1e6
}
