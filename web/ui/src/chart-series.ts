/*
 * What a chart over time shows, and what follows from it without drawing: which instant is meant, which rows
 * its table has, what it says in a sentence. Drawing is chart-drawing.ts.
 */

export interface ChartPoint {
  /** Milliseconds since 1970: the beginning of the step that the value is of. */
  readonly at: number
  /** Null where nothing was measured: a gap, never a zero. */
  readonly value: number | null
}

export interface ChartSeries {
  readonly id: string
  readonly name: string
  /** Marks stand at their exact instants, lines and bars in the middle of their step. */
  readonly form: 'line' | 'bar' | 'mark'
  readonly points: readonly ChartPoint[]
  /** A CSS color; by its place in the list unless given. */
  readonly color?: string
  /** Bars of one stack stand on each other. */
  readonly stack?: string
}

export interface ChartFrame {
  /** The instants at both ends of the time axis. */
  readonly from: number
  readonly to: number
  readonly stepMs: number
  /** The value axis begins at zero; otherwise where the values do. */
  readonly fromZero?: boolean
  /** Values are whole numbers: the axis has no lines between them. */
  readonly isWhole?: boolean
}

/** What was pointed at: a step, and the series when one was met exactly. */
export interface ChartPick {
  readonly at: number
  readonly seriesId?: string
}

/** A single mark, by its place in its series. */
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
  /** Lines differ by this too, so that color is never the only sign. */
  readonly dash: Dash
}

export function lookOf(series: Pick<ChartSeries, 'color'>, place: number): SeriesLook {
  const color = series.color ?? `var(--kind-${palette[place % palette.length]})`
  return { color, dash: dashes[place % dashes.length] ?? 'solid' }
}

/** The beginning of the step that an instant falls into, kept within the frame. */
export function stepAt({ from, to, stepMs }: ChartFrame, instantMs: number): number {
  const last = from + Math.max(0, Math.ceil((to - from) / stepMs) - 1) * stepMs
  const at = from + Math.floor((instantMs - from) / stepMs) * stepMs
  return Math.min(last, Math.max(from, at))
}

/** Every step of the frame once, with the value that was measured in it, or `otherwise`. */
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

export interface ChartRow {
  readonly at: number
  /** By the order of the series. */
  readonly values: readonly (number | null)[]
}

/** The table behind a chart, newest first: the instants at which any series has a value. */
export function rowsOf(series: readonly ChartSeries[]): ChartRow[] {
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

/** What a chart says, in a sentence for each series: for those who do not see it. */
export function sentencesOf(
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
