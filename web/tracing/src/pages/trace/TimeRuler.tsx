import { formatDuration } from '@assay/ui/time-format.ts'
import { ActionIcon } from '@mantine/core'
import { IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react'
import { type TimeScale, ticks } from '../../spans/time-scale.ts'
import { isWhole, type TimeWindow } from './time-window.ts'
import styles from './tree.module.css'

interface Props {
  readonly scale: TimeScale
  readonly whole: TimeScale
  readonly window: TimeWindow
  readonly onWindow: (window: TimeWindow) => void
  readonly onZoom: (factor: number) => void
}

/** Time marks since the start of the trace, and the zoom buttons. */
export function TimeRuler({ scale, whole, window, onWindow, onZoom }: Props) {
  const isAll = isWhole(window, whole)
  return (
    <div className={styles.ruler}>
      <div className={styles.zoom}>
        <ActionIcon size="xs" aria-label="Zoom in" title="Zoom in (+)" onClick={() => onZoom(2)}>
          <IconZoomIn size={14} stroke={1.75} />
        </ActionIcon>
        <ActionIcon
          size="xs"
          aria-label="Zoom out"
          title="Zoom out (-)"
          disabled={isAll}
          onClick={() => onZoom(0.5)}
        >
          <IconZoomOut size={14} stroke={1.75} />
        </ActionIcon>
        {!isAll && (
          <ActionIcon
            size="xs"
            aria-label="Reset zoom"
            title="Reset zoom (0)"
            onClick={() => onWindow({ fromMs: 0, toMs: whole.lengthMs })}
          >
            <IconZoomReset size={14} stroke={1.75} />
          </ActionIcon>
        )}
        {!isAll && (
          <span className={styles.windowText} role="status">
            {formatDuration(window.fromMs)} to {formatDuration(window.toMs)}
          </span>
        )}
      </div>
      <div className={styles.rulerLine} aria-hidden>
        {ticks(scale, 4).map((atMs) => (
          <span key={atMs} style={{ left: `${(atMs / scale.lengthMs) * 100}%` }}>
            {window.fromMs + atMs === 0 ? '0' : formatDuration(window.fromMs + atMs)}
          </span>
        ))}
      </div>
    </div>
  )
}
