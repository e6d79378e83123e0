import { useComputedColorScheme } from '@mantine/core'
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { ChartTip } from './ChartTip.tsx'
import styles from './chart.module.css'
import type { ChartDrawing } from './chart-drawing.ts'
import type { ChartProps } from './chart-props.ts'
import { type ChartMark, type ChartPick, stepAt, toSentences } from './chart-series.ts'

interface Props extends ChartProps {
  readonly hidden: ReadonlySet<string>
}

/** Pointer movement below this is a click. */
const clickPx = 4

/** The drawing of a chart with its tooltip and brush. */
export function ChartPlot(props: Props) {
  const { title, series, frame, formatValue, onPick, onMark, onRange, heightPx = 200 } = props
  const canvas = useRef<HTMLDivElement>(null)
  const { drawing, isFailed } = useDrawing(canvas, props)
  const [pointed, setPointed] = useState<Pointed>()
  // The hit target is stored on press: once captured, the pointer only hits the plot.
  const [pressed, setPressed] = useState<Pointed>()

  function pointAt(event: MouseEvent<HTMLElement>): Pointed | undefined {
    const at = drawing.current
    if (at === undefined) return undefined
    const box = event.currentTarget.getBoundingClientRect()
    const leftPx = event.clientX - box.left
    const step = stepAt(frame, at.instantAt(leftPx))
    const under = at.underPointer()
    const isMark = series.some(({ id, form }) => id === under?.seriesId && form === 'mark')
    const seriesId = isMark ? undefined : under?.seriesId
    return {
      leftPx,
      side: leftPx > box.width / 2 ? 'left' : 'right',
      lineLeftPx: at.leftOf(step + frame.stepMs / 2),
      pick: { at: step, ...(seriesId === undefined ? {} : { seriesId }) },
      ...(under === undefined || !isMark ? {} : { mark: under }),
    }
  }

  function release(event: PointerEvent<HTMLElement>): void {
    const here = pointAt(event)
    setPressed(undefined)
    if (here === undefined || pressed === undefined) return
    if (Math.abs(here.leftPx - pressed.leftPx) <= clickPx) {
      if (pressed.mark === undefined) onPick?.(pressed.pick)
      else onMark?.(pressed.mark.seriesId, pressed.mark.index)
      return
    }
    const ends = [pressed.leftPx, here.leftPx].map((px) =>
      stepAt(frame, drawing.current?.instantAt(px) ?? frame.from),
    )
    onRange?.(Math.min(...ends), Math.max(...ends) + frame.stepMs)
  }

  const selection = pressed !== undefined && onRange !== undefined && pointed !== undefined
  return (
    <div
      className={styles.plot}
      data-pickable={onPick !== undefined || pointed?.mark !== undefined || undefined}
      style={{ height: heightPx }}
      onPointerMove={(event) => setPointed(pointAt(event))}
      // The drawing updates its hit target in this event, which fires after the one above.
      onMouseMove={(event) => setPointed(pointAt(event))}
      onPointerLeave={() => setPointed(undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setPressed(pointAt(event))
      }}
      onPointerUp={release}
      onPointerCancel={() => setPressed(undefined)}
    >
      <div
        ref={canvas}
        className={styles.canvas}
        role="img"
        aria-label={`${title}. ${toSentences(series, formatValue)} The table has all values.`}
      />
      {isFailed && (
        <p className={styles.failed} role="status">
          The chart could not be loaded. Use the table instead.
        </p>
      )}
      {pointed !== undefined && (
        <>
          <div className={styles.cursor} style={{ left: pointed.lineLeftPx }} />
          <ChartTip {...props} {...pointed} leftPx={pointed.lineLeftPx} />
        </>
      )}
      {selection && (
        <div
          className={styles.selection}
          style={{
            left: Math.min(pressed.leftPx, pointed.leftPx),
            width: Math.abs(pressed.leftPx - pointed.leftPx),
          }}
        />
      )}
    </div>
  )
}

interface Pointed {
  readonly leftPx: number
  readonly side: 'left' | 'right'
  /** The middle of the step. */
  readonly lineLeftPx: number
  readonly pick: ChartPick
  readonly mark?: ChartMark
}

/** The library is loaded with the first chart; until then, or if that fails, the table shows the values. */
function useDrawing(
  canvas: { readonly current: HTMLElement | null },
  { series, hidden, frame, formatValue, axis }: Props,
) {
  const drawing = useRef<ChartDrawing>(undefined)
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const [state, setState] = useState<'waiting' | 'ready' | 'failed'>('waiting')

  useEffect(() => {
    let isGone = false
    void import('./chart-drawing.ts').then(
      ({ startDrawing }) => {
        if (isGone || canvas.current === null) return
        drawing.current = startDrawing(canvas.current)
        setState('ready')
      },
      () => setState('failed'),
    )
    return () => {
      isGone = true
      drawing.current?.end()
      drawing.current = undefined
    }
  }, [canvas])

  useEffect(() => {
    // The attribute that selects the colors is set after the state changes.
    const frameNo = requestAnimationFrame(() =>
      drawing.current?.draw({ series, hidden, frame, formatValue, axis }),
    )
    return () => cancelAnimationFrame(frameNo)
  }, [state, scheme, series, hidden, frame, formatValue, axis])
  return { drawing, isFailed: state === 'failed' }
}
