import { useLocalStorage } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from 'react'
import styles from './divider.module.css'

interface Props {
  /** What it resizes: `Width of the span names`. */
  readonly label: string
  /** The share is remembered in this browser. */
  readonly storageKey: string
  /** The variable of the parent that has the share, in percent: `--names`. */
  readonly variable: `--${string}`
  readonly initial: number
  readonly min: number
  readonly max: number
  readonly className?: string | undefined
}

const step = 2
const longStep = 10

/** A line between two parts of its parent, moved by pointer or arrow keys; a double click resets it. */
export function Divider(props: Props) {
  const { label, storageKey: key, variable, initial, min, max, className = '' } = props
  const line = useRef<HTMLDivElement>(null)
  const [stored, store] = useLocalStorage({
    key,
    defaultValue: initial,
    getInitialValueInEffect: false,
  })
  const clamp = (value: number) => Math.min(max, Math.max(min, value))
  const share = clamp(Number.isFinite(stored) ? stored : initial)
  useLayoutEffect(() => {
    line.current?.parentElement?.style.setProperty(variable, String(share))
  }, [variable, share])

  function drag(event: PointerEvent<HTMLElement>): void {
    const { currentTarget, pointerId, clientX } = event
    if (!currentTarget.hasPointerCapture(pointerId)) return
    const box = currentTarget.parentElement?.getBoundingClientRect()
    if (box !== undefined) store(clamp(((clientX - box.left) / box.width) * 100))
  }

  function onKeyDown(event: KeyboardEvent): void {
    const by = event.shiftKey ? longStep : step
    const targets = new Map([
      ['ArrowLeft', share - by],
      ['ArrowRight', share + by],
      ['Home', min],
      ['End', max],
    ])
    const target = targets.get(event.key)
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    store(clamp(target))
  }

  return (
    <div
      ref={line}
      className={`${styles.divider} ${className}`}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(share)}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={(event) => {
        if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={drag}
      onDoubleClick={() => store(initial)}
      onKeyDown={onKeyDown}
    />
  )
}
