import {
  BarChart,
  type BarSeriesOption,
  LineChart,
  type LineSeriesOption,
  ScatterChart,
  type ScatterSeriesOption,
} from 'echarts/charts'
import { GridComponent, type GridComponentOption } from 'echarts/components'
import { use as addParts, type ComposeOption, type ECharts, init } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import {
  type ChartFrame,
  type ChartMark,
  type ChartSeries,
  findGreatest,
  getLook,
} from './chart-series.ts'
import type { AxisScale } from './value-axis.ts'

/*
 * Draws charts on a canvas. Loaded with the first chart, because the library is larger than a page.
 * Tooltips, legends and selections are DOM elements, which render names as text only.
 */

addParts([LineChart, BarChart, ScatterChart, GridComponent, CanvasRenderer])

type Option = ComposeOption<
  LineSeriesOption | BarSeriesOption | ScatterSeriesOption | GridComponentOption
>

export interface ChartView {
  readonly series: readonly ChartSeries[]
  /** The hidden series; the others keep their style. */
  readonly hidden: ReadonlySet<string>
  readonly frame: ChartFrame
  readonly formatValue: (value: number) => string
  readonly axis?: AxisScale | undefined
}

export interface ChartDrawing {
  /** Redraws with the current colors of the page. */
  draw(view: ChartView): void
  /** The instant at a distance from the left edge of the drawing. */
  instantAt(leftPx: number): number
  leftOf(instantMs: number): number
  /** The drawn element under the pointer. */
  underPointer(): ChartMark | undefined
  end(): void
}

export function startDrawing(element: HTMLElement): ChartDrawing {
  const chart: ECharts = init(element, null, { renderer: 'canvas' })
  const watcher = new ResizeObserver(() => chart.resize())
  watcher.observe(element)
  let under: ChartMark | undefined
  chart.on('mouseover', ({ seriesId, dataIndex }) => {
    if (seriesId !== undefined) under = { seriesId, index: dataIndex }
  })
  chart.on('mouseout', () => {
    under = undefined
  })
  return {
    draw(view) {
      chart.setOption(toOption(view, readColors(element)), { notMerge: true })
    },
    instantAt: (leftPx) => Number(chart.convertFromPixel({ xAxisIndex: 0 }, leftPx)),
    leftOf: (instantMs) => Number(chart.convertToPixel({ xAxisIndex: 0 }, instantMs)),
    underPointer: () => under,
    end() {
      watcher.disconnect()
      chart.dispose()
    },
  }
}

interface Colors {
  readonly text: string
  readonly line: string
  readonly font: string
  readonly of: (css: string) => string
}

/** A canvas does not resolve CSS variables or light-dark(), so the browser computes them here. */
function readColors(element: HTMLElement): Colors {
  const probe = element.ownerDocument.createElement('span')
  element.append(probe)
  const of = (css: string) => {
    probe.style.color = css
    return getComputedStyle(probe).color
  }
  const known = new Map<string, string>()
  const remembered = (css: string) => {
    const color = known.get(css) ?? of(css)
    known.set(css, color)
    return color
  }
  const text = of('var(--mantine-color-dimmed)')
  const line = of('var(--line)')
  const font = getComputedStyle(element).fontFamily
  // Called only while the option is built, which is synchronous.
  queueMicrotask(() => probe.remove())
  return { text, line, font, of: remembered }
}

function toOption(view: ChartView, colors: Colors): Option {
  const { series, hidden, frame } = view
  const { format, ...scale } = valueScale(view)
  const label = { color: colors.text, fontSize: 11, fontFamily: colors.font }
  return {
    animation: false,
    grid: {
      ...{ left: 4, right: 14, top: 10, bottom: 4 },
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: {
      type: 'time',
      min: frame.from,
      max: frame.to,
      minInterval: frame.stepMs,
      axisLine: { lineStyle: { color: colors.line } },
      axisTick: { lineStyle: { color: colors.line } },
      axisLabel: { ...label, hideOverlap: true, formatter: timeLabels },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'value',
      ...scale,
      axisLabel: { ...label, formatter: format },
      splitLine: { lineStyle: { color: colors.line } },
    },
    series: series.flatMap((one, place) =>
      hidden.has(one.id) ? [] : [seriesOption(one, place, frame, colors)],
    ),
  }
}

/** The part of the value axis that depends on the values. */
function valueScale({ series, hidden, formatValue, axis }: ChartView) {
  if (axis === undefined) return { scale: true, splitNumber: 3, format: formatValue }
  const visible = series.filter(({ id }) => !hidden.has(id))
  return { min: 0, ...axis(findGreatest(visible)) }
}

const timeLabels = {
  year: '{yyyy}',
  month: '{MMM}',
  day: '{MMM} {d}',
  hour: '{HH}:{mm}',
  minute: '{HH}:{mm}',
  second: '{HH}:{mm}:{ss}',
  millisecond: '{HH}:{mm}:{ss}',
} as const

function seriesOption(
  series: ChartSeries,
  place: number,
  { stepMs }: ChartFrame,
  colors: Colors,
): LineSeriesOption | BarSeriesOption | ScatterSeriesOption {
  const { id, name, form, points, stack } = series
  const { color: css, dash } = getLook(series, place)
  const color = colors.of(css)
  const middle = form === 'mark' ? 0 : stepMs / 2
  const data = points.map(({ at, value }): [number, number | null] => [at + middle, value])
  if (form === 'mark') {
    return { type: 'scatter', id, name, data, symbol: 'diamond', symbolSize: 11, color, z: 4 }
  }
  if (form === 'bar') {
    const barMaxWidth = 40
    return { type: 'bar', id, name, data, color, barMaxWidth, ...(stack ? { stack } : {}) }
  }
  return {
    ...{ type: 'line', id, name, data, color, connectNulls: false },
    lineStyle: { width: 1.75, type: dash },
    symbol: 'circle',
    showAllSymbol: true,
    symbolSize: (_value: unknown, { dataIndex }: { dataIndex: number }) =>
      isAlone(points, dataIndex) ? 5 : 0,
  }
}

/** A value between gaps has no line, so it needs a symbol. */
function isAlone(points: ChartSeries['points'], at: number): boolean {
  return (points[at - 1]?.value ?? null) === null && (points[at + 1]?.value ?? null) === null
}
