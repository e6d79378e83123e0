/*
 * The data of a time series chart, and everything derived from it without drawing: hit instants, table rows
 * and the text summary. chart-drawing.ts draws.
 */

export interface ChartPoint {
  /** The start of the value's step, in epoch milliseconds. */
  readonly at: number
  /** Null without a measurement: a gap, never a zero. */
  readonly value: number | null
}

export interface ChartSeries {
  readonly id: string
  readonly name: string
  /** Marks are drawn at their exact instants, lines and bars in the middle of their step. */
  readonly form: 'line' | 'bar' | 'mark'
  readonly points: readonly ChartPoint[]
  /** A CSS color; defaults to one by index. */
  readonly color?: string
  /** Bars with the same stack are stacked. */
  readonly stack?: string
}

export interface ChartFrame {
  /** The ends of the time axis. */
  readonly from: number
  readonly to: number
  readonly stepMs: number
}

/** The step under the pointer, and the series if one was hit exactly. */
export interface ChartPick {
  readonly at: number
  readonly seriesId?: string
}

/** A single mark, by its index in its series. */
export interface ChartMark {
  readonly seriesId: string
  readonly index: number
}

const palette = [
  'indigo',
  'orange',
  'teal',
  'grape',
  'lime',
  'pink',
  'cyan',
  'yellow',
  'violet',
  'gray',
] as const

const dashes = ['solid', 'dashed', 'dotted'] as const
export type Dash = (typeof dashes)[number]

export interface SeriesLook {
  readonly color: string
  /** Distinguishes lines, so that color is never the only indicator. */
  readonly dash: Dash
}

export function getLook(series: Pick<ChartSeries, 'color'>, place: number): SeriesLook {
  const color = series.color ?? `var(--kind-${palette[place % palette.length]})`
  return { color, dash: dashes[place % dashes.length] ?? 'solid' }
}

/** The start of the step that contains an instant, clamped to the frame. */
export function stepAt({ from, to, stepMs }: ChartFrame, instantMs: number): number {
  const last = from + Math.max(0, Math.ceil((to - from) / stepMs) - 1) * stepMs
  const at = from + Math.floor((instantMs - from) / stepMs) * stepMs
  return Math.min(last, Math.max(from, at))
}

/** Every step of the frame once, with its measured value or `otherwise`. */
export function everyStep(
  { from, to, stepMs }: ChartFrame,
  values: ReadonlyMap<number, number | null>,
  emptyValue: number | null,
): ChartPoint[] {
  const points: ChartPoint[] = []
  for (let at = from; at < to; at += stepMs) {
    points.push({ at, value: values.has(at) ? (values.get(at) ?? null) : emptyValue })
  }
  return points
}

/** The end of the longest bar or line; 0 without values. Stacked bars add up. */
export function findGreatest(series: readonly ChartSeries[]): number {
  const sums = new Map<string, number>()
  let greatest = 0
  for (const { id, stack, points } of series) {
    for (const { at, value } of points) {
      const key = JSON.stringify([stack === undefined ? id : null, stack, at])
      const sum = (sums.get(key) ?? 0) + (value ?? 0)
      sums.set(key, sum)
      greatest = Math.max(greatest, sum)
    }
  }
  return greatest
}

export interface ChartRow {
  readonly at: number
  /** In the order of the series. */
  readonly values: readonly (number | null)[]
}

/** The table of a chart, newest first: the instants at which any series has a value. */
export function toRows(series: readonly ChartSeries[]): ChartRow[] {
  const rows = new Map<number, (number | null)[]>()
  series.forEach(({ points }, place) => {
    for (const { at, value } of points) {
      if (value === null) continue
      const values = rows.get(at) ?? series.map(() => null)
      values[place] = value
      rows.set(at, values)
    }
  })
  return [...rows].map(([at, values]) => ({ at, values })).sort((one, other) => other.at - one.at)
}

/** A text summary of a chart, one sentence per series, for screen readers. */
export function toSentences(
  series: readonly ChartSeries[],
  formatValue: (value: number) => string,
): string {
  return series
    .map(({ name, points }) => {
      const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
      const newest = values.at(-1)
      if (newest === undefined) return `${name}: no values.`
      const [low, high] = values.reduce<readonly [number, number]>(
        ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
        [newest, newest],
      )
      return `${name}: ${formatValue(low)} to ${formatValue(high)}, newest ${formatValue(newest)}.`
    })
    .join(' ')
}
