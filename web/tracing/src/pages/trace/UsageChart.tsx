import { formatDuration } from '@assay/ui/time-format.ts'
import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, useState } from 'react'
import { ticks } from '../../spans/time-scale.ts'
import styles from './usage.module.css'
import { stepPath } from './usage-path.ts'
import type { UsagePoint } from './usage-series.ts'

export interface UsageLine {
  readonly name: string
  readonly color: string
  readonly isDashed?: boolean
  readonly valueOf: (point: UsagePoint) => number
}

interface Props {
  readonly title: string
  readonly points: readonly UsagePoint[]
  readonly lengthMs: number
  readonly lines: readonly UsageLine[]
  readonly format: (value: number) => string
  readonly selectedId: string | undefined
  readonly onSelect: (spanId: string) => void
}

const heightPx = 132
const topPx = 8

/** Cumulative values over the duration of the trace; a click selects the nearest step. */
export function UsageChart(props: Props) {
  const { title, points, lengthMs, lines, format, selectedId, onSelect } = props
  const { ref, width } = useElementSize<HTMLDivElement>()
  const [under, setUnder] = useState<UsagePoint>()
  const last = points.at(-1)
  const most =
    Math.max(...lines.map(({ valueOf }) => (last === undefined ? 0 : valueOf(last)))) || 1
  const frame = { widthPx: width, heightPx, topPx, lengthMs, most }
  const toLeft = (point: UsagePoint) => (point.atMs / lengthMs) * width
  const selected = points.find(({ spanId }) => spanId === selectedId)

  function nearest(event: PointerEvent<HTMLElement>): UsagePoint | undefined {
    const { left } = event.currentTarget.getBoundingClientRect()
    const atMs = ((event.clientX - left) / Math.max(1, width)) * lengthMs
    return points.reduce<UsagePoint | undefined>(
      (best, point) =>
        best === undefined || Math.abs(point.atMs - atMs) < Math.abs(best.atMs - atMs)
          ? point
          : best,
      undefined,
    )
  }

  const current = under ?? last
  return (
    <figure className={styles.root}>
      <figcaption className={styles.head}>
        <strong>{title}</strong>
        {lines.map((line) => (
          <span key={line.name} className={styles.legend}>
            <svg width="18" height="8" aria-hidden>
              <line
                x1="0"
                x2="18"
                y1="4"
                y2="4"
                stroke={line.color}
                strokeWidth="2"
                strokeDasharray={line.isDashed === true ? '4 3' : undefined}
              />
            </svg>
            {lines.length > 1 && line.name} {current !== undefined && format(line.valueOf(current))}
          </span>
        ))}
        <span className="dimmed">
          {under === undefined ? 'total' : `after ${formatDuration(under.atMs)}`}
        </span>
      </figcaption>
      <div
        ref={ref}
        className={styles.plot}
        style={{ height: heightPx }}
        title="Click to open the span of the nearest step"
        onPointerMove={(event) => setUnder(nearest(event))}
        onPointerLeave={() => setUnder(undefined)}
        onPointerUp={(event) => {
          const point = nearest(event)
          if (point !== undefined) onSelect(point.spanId)
        }}
      >
        <svg width={width} height={heightPx} role="img" aria-label={`${title} over time`}>
          {lines.map((line) => (
            <path
              key={line.name}
              className={styles.line}
              d={stepPath(points, line.valueOf, frame)}
              stroke={line.color}
              strokeDasharray={line.isDashed === true ? '5 3' : undefined}
            />
          ))}
          {[selected, under].map(
            (point, at) =>
              point !== undefined && (
                <line
                  key={at === 0 ? 'selected' : 'under'}
                  className={at === 0 ? styles.selected : styles.pointer}
                  x1={toLeft(point)}
                  x2={toLeft(point)}
                  y1={0}
                  y2={heightPx}
                />
              ),
          )}
        </svg>
      </div>
      <div className={styles.axis} aria-hidden>
        {ticks({ startMs: 0, lengthMs }, 6).map((atMs) => (
          <span key={atMs} style={{ left: `${(atMs / lengthMs) * 100}%` }}>
            {atMs === 0 ? '0' : formatDuration(atMs)}
          </span>
        ))}
      </div>
    </figure>
  )
}
