import { useEffect, useState } from 'react'

export interface Reveal {
  /** How many are shown: at most `total`. */
  readonly count: number
  readonly total: number
  readonly step: number
  /** Everything is being revealed, a step in each frame. */
  readonly isRunning: boolean
  readonly showMore: () => void
  readonly showAll: () => void
  readonly stop: () => void
}

/**
 * Shows the first of many things, and more of them on request. Never more than a step at once, so that the page
 * responds in between.
 */
export function useReveal(total: number, first: number, step: number): Reveal {
  const [requested, setRequested] = useState(first)
  const [isRunning, setRunning] = useState(false)
  const isDone = requested >= total
  useEffect(() => {
    if (!isRunning || isDone) return
    const frame = requestAnimationFrame(() => setRequested(requested + step))
    return () => cancelAnimationFrame(frame)
  }, [isRunning, isDone, requested, step])
  return {
    count: Math.min(requested, total),
    total,
    step,
    isRunning: isRunning && !isDone,
    showMore: () => setRequested(requested + step),
    showAll: () => setRunning(true),
    stop: () => setRunning(false),
  }
}
