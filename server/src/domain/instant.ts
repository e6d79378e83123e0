/*
 * Instants as nanoseconds since 1970-01-01T00:00:00Z, the unit of OpenTelemetry. A bigint, because a double
 * loses the last digits of current dates.
 */

export type Instant = bigint

const perMilli = 1_000_000n
const perSecond = 1_000_000_000n

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

/** ISO 8601 in UTC with three, six or nine fractional digits, as few as possible. From 1970 on. */
export function formatInstant(instant: Instant): string {
  const seconds = instant / perSecond
  return `${formatSeconds(Number(seconds))}.${formatFraction(Number(instant - seconds * perSecond))}Z`
}

/** The start of the day that was formatted last, because a response has many instants of one day. */
const formattedDay = { number: Number.NaN, date: '' }

const secondsPerDay = 86_400

/** `2026-01-31T12:00:00`; several times faster than `Date.toISOString`. */
function formatSeconds(seconds: number): string {
  const day = Math.floor(seconds / secondsPerDay)
  if (day !== formattedDay.number) {
    formattedDay.date = new Date(day * secondsPerDay * 1000).toISOString().slice(0, -13)
    formattedDay.number = day
  }
  const second = seconds - day * secondsPerDay
  const hours = twoDigits[Math.floor(second / 3600)]
  const minutes = twoDigits[Math.floor(second / 60) % 60]
  return `${formattedDay.date}${hours}:${minutes}:${twoDigits[second % 60]}`
}

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

function formatFraction(nanos: number): string {
  if (nanos % 1e6 === 0) return String(nanos / 1e6).padStart(3, '0')
  if (nanos % 1e3 === 0) return String(nanos / 1e3).padStart(6, '0')
  return String(nanos).padStart(9, '0')
}

/** Exact to the nanosecond before it is rounded to a double. */
export function millisBetween(start: Instant, end: Instant): number {
  return Number(end - start) / 1e6
}
