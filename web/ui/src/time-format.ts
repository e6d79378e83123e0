import { formatPower } from './number-format.ts'

/*
 * Formats instants and durations: local time on pages, UTC on hover.
 */

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/**
 * `480 µs`, `12 ms`, `1.24 s`, `3 min 05 s`, `2 h 07 min`, `1 d 03 h`, `1,157 d`, `3.4e9 d`; a dash if unknown. At most
 * eleven characters.
 */
export function formatDuration(durationMs: number | null): string {
  if (durationMs === null) return '—'
  if (durationMs === 0) return '0 ms'
  if (durationMs < 1) return `${Math.max(1, Math.round(durationMs * 1000))} µs`
  if (durationMs < 10) return `${trimmed(durationMs.toFixed(1))} ms`
  if (Math.round(durationMs) < second) return `${Math.round(durationMs)} ms`
  if (durationMs < 10 * second) return `${(durationMs / second).toFixed(2)} s`
  if (durationMs < minute - 50) return `${(durationMs / second).toFixed(1)} s`
  return coarse(durationMs)
}

function coarse(durationMs: number): string {
  const seconds = Math.round(durationMs / second)
  if (seconds < 3600) return parts(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.round(seconds / 60)
  if (minutes < 1440) return parts(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  const hours = Math.round(minutes / 60)
  if (hours >= 100 * 24) return wholeDays(Math.round(hours / 24))
  return parts(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

/** All of its milliseconds, for a tooltip: `3,012,345.25 ms`. */
export function formatExactDuration(durationMs: number): string {
  return `${durationMs.toLocaleString('en-US', { maximumFractionDigits: 6 })} ms`
}

/** A reported latency can be any number. */
function wholeDays(days: number): string {
  return `${days < 10_000_000 ? days.toLocaleString('en-US') : formatPower(days)} d`
}

function parts(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return `${big} ${bigUnit} ${String(small).padStart(2, '0')} ${smallUnit}`
}

function trimmed(digits: string): string {
  return digits.endsWith('.0') ? digits.slice(0, -2) : digits
}

/** Epoch milliseconds with the fraction that `Date` would drop. */
export function instantMs(instant: string): number {
  const wholeMs = Date.parse(instant)
  const dot = instant.indexOf('.')
  const finer = dot === -1 ? '' : instant.slice(dot + 4, -1)
  return finer === '' ? wholeMs : wholeMs + Number(`0.${finer}`)
}

/** `just now`, `12 s ago`, `5 min ago`, `3 h ago`, `2 d ago`; `in 12 s` by a clock that is ahead of this one. */
export function formatAge(atMs: number, nowMs: number): string {
  const age = nowMs - atMs
  if (Math.abs(age) < 2 * second) return 'just now'
  return age > 0 ? `${wholeUnits(age)} ago` : `in ${wholeUnits(-age)}`
}

function wholeUnits(ms: number): string {
  if (ms < minute) return `${Math.floor(ms / second)} s`
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h`
  return `${Math.floor(ms / day)} d`
}

const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
const thisYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...clock })
const otherYear = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  ...clock,
})

/** `Nov 20, 14:03:22` in local time, with the year unless it is the current one. */
export function formatLocal(atMs: number, nowMs: number): string {
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear()
  return (isThisYear ? thisYear : otherYear).format(atMs)
}

/** The start of a step in local time, without seconds for steps of whole minutes: `Nov 20, 14:00`. */
export function formatStep(atMs: number, stepMs: number): string {
  const text = formatLocal(atMs, Date.now())
  return stepMs % 60_000 === 0 ? text.slice(0, -':00'.length) : text
}

/** `2026-11-20 14:03:22.123456 UTC`, with the precision of the instant. */
export function formatUtc(instant: string): string {
  return `${instant.replace('T', ' ').replace('Z', '')} UTC`
}
