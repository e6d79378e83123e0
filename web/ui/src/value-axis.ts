import { formatCost } from './number-format.ts'

/*
 * The ticks of a value axis that starts at zero. All labels of an axis have the same unit and precision.
 */

export interface ValueAxis {
  readonly max: number
  readonly interval: number
  readonly format: (value: number) => string
}

/** Builds an axis up to at least a value. */
export type AxisScale = (greatest: number) => ValueAxis

const intervals = 4

/** `0`, `200`; `0`, `5K`; `0`, `500K`, `1M`. Only whole numbers. */
export const countAxis: AxisScale = (greatest) => {
  const interval = Math.max(1, roundInterval(greatest / intervals))
  const notation = greatest < 10_000 ? 'standard' : 'compact'
  const number = new Intl.NumberFormat('en-US', { notation, maximumFractionDigits: 1 })
  return toAxis(greatest, interval, (value) => number.format(value))
}

/** `$0`, `$0.002`; `$0`, `$0.50`; `$0`, `$200`. */
export const costAxis: AxisScale = (greatest) => {
  const interval = roundInterval(greatest / intervals)
  const digits = interval >= 1 ? 0 : Math.max(2, countDigits(interval))
  const number = new Intl.NumberFormat('en-US', fixed(digits))
  const isHuge = greatest >= 1e12
  return toAxis(greatest, interval, (value) =>
    value === 0 || isHuge ? formatCost(value) : `$${number.format(value)}`,
  )
}

const durationUnits = [
  { name: 'd', ms: 86_400_000, steps: undefined },
  { name: 'h', ms: 3_600_000, steps: [1, 2, 3, 6, 12, 24] },
  { name: 'min', ms: 60_000, steps: [1, 2, 5, 10, 15, 30, 60] },
  { name: 's', ms: 1000, steps: undefined },
  { name: 'ms', ms: 1, steps: undefined },
] as const

/** `0 ms`, `200 ms`; `0 s`, `0.5 s`; `0 min`, `5 min`. */
export const durationAxis: AxisScale = (greatest) => {
  const unit =
    durationUnits.find(({ name, ms }) => greatest >= (name === 's' ? ms : 3 * ms)) ??
    (greatest >= 1 ? durationUnits[4] : { name: 'µs', ms: 0.001, steps: undefined })
  const least = greatest / unit.ms / intervals
  const interval = unit.steps?.find((step) => step >= least) ?? roundInterval(least)
  const number = new Intl.NumberFormat('en-US', fixed(countDigits(interval)))
  return toAxis(greatest, interval * unit.ms, (value) =>
    value === 0 ? `0 ${unit.name}` : `${number.format(value / unit.ms)} ${unit.name}`,
  )
}

/** `0%`, `20%`; `0%`, `0.5%`. */
export const shareAxis: AxisScale = (greatest) => {
  const interval = roundInterval(greatest / intervals)
  const digits = countDigits(interval * 100)
  const number = new Intl.NumberFormat('en-US', { style: 'percent', ...fixed(digits) })
  return toAxis(greatest, interval, (value) => (value === 0 ? '0%' : number.format(value)))
}

function toAxis(greatest: number, interval: number, format: ValueAxis['format']): ValueAxis {
  const count = Math.max(1, Math.ceil(greatest / interval - 1e-9))
  return { interval, max: count * interval, format }
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
function roundInterval(least: number): number {
  if (!(least > 0)) return 1
  const exponent = Math.floor(Math.log10(least) + 1e-9)
  const factor = [1, 2, 5].find((each) => each * 10 ** exponent >= least * (1 - 1e-9)) ?? 10
  return Number(`${factor}e${exponent}`)
}

function countDigits(interval: number): number {
  return Math.max(0, -Math.floor(Math.log10(interval) + 1e-9))
}

function fixed(digits: number) {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits }
}
