/*
 * Formats numbers. Unknown values are a dash, never a zero.
 */

export const unknown = '—'

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** `1,234`. */
export function formatCount(count: number): string {
  return whole.format(count)
}

/** `9,876`, from ten thousand on `12.3K`; a dash if unknown. */
export function formatTokens(count: number | null): string {
  if (count === null) return unknown
  return count < 10_000 ? whole.format(count) : compact.format(count)
}

/**
 * Dollars with two significant digits below a cent, without cents from a million on, and from a billion on as `$1.5e12`;
 * a dash if unknown. `$0` means known to be zero. At most twelve characters.
 */
export function formatCost(usd: number | null): string {
  if (usd === null) return unknown
  if (usd === 0) return '$0'
  if (usd < 0.000001) return '<$0.000001'
  if (usd < 0.00995) return `$${twoDigits(usd)}`
  if (usd < 0.9995) return `$${usd.toFixed(3)}`
  if (usd >= 999_999_999.5) return `$${formatPower(usd)}`
  if (usd >= 999_999.995) return `$${whole.format(usd)}`
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}

/** `1.5e12`, for reported values that can be any number: hundreds of digits fit nowhere. */
export function formatPower(value: number): string {
  return value.toExponential(1).replace('e+', 'e')
}

function twoDigits(usd: number): string {
  const rounded = Number(usd.toPrecision(2))
  return rounded.toFixed(1 - Math.floor(Math.log10(rounded)))
}

const byteUnits = ['B', 'KB', 'MB', 'GB'] as const

/** `512 B`, `1.5 KB`, `3.2 MB`. */
export function formatBytes(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1000 && unit < byteUnits.length - 1) {
    size /= 1000
    unit += 1
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1
  return `${size.toFixed(digits)} ${byteUnits[unit]}`
}
