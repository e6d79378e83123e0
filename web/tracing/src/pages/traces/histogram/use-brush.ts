import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { markedByKey, type SlotRange, slotAt } from './histogram-scale.ts'

interface Options {
  readonly slotCount: number
  /** The slots that were dragged over, clicked, or marked with the keyboard and confirmed. */
  readonly onChoose: (range: SlotRange) => void
  readonly onReset: () => void
}

/** Marks slots by dragging or with the keyboard; Escape cancels. */
export function useBrush({ slotCount, onChoose, onReset }: Options) {
  const [marked, setMarked] = useState<SlotRange>()
  const [hovered, setHovered] = useState<number>()
  const [isDragging, setDragging] = useState(false)

  function under({ currentTarget, clientX }: PointerEvent): number {
    const { left, width } = currentTarget.getBoundingClientRect()
    return slotAt((clientX - left) / width, slotCount)
  }

  function leave(): void {
    setDragging(false)
    setMarked(undefined)
  }

  return {
    marked,
    hovered,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const at = under(event)
        setDragging(true)
        setMarked({ anchor: at, head: at })
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const head = under(event)
        setHovered(head)
        if (isDragging) setMarked(({ anchor } = { anchor: head, head }) => ({ anchor, head }))
      },
      onPointerUp() {
        if (!isDragging || marked === undefined) return
        leave()
        onChoose(marked)
      },
      // The browser took over the pointer, for example to scroll.
      onPointerCancel: leave,
      onPointerLeave: () => setHovered(undefined),
      onDoubleClick: onReset,
      onBlur: leave,
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        if (event.ctrlKey || event.metaKey || event.altKey) return
        if (event.key === 'Escape') {
          if (marked === undefined) onReset()
          leave()
        } else if (event.key === 'Enter' && marked !== undefined) {
          leave()
          onChoose(marked)
        } else {
          const next = markedByKey(event.key, event.shiftKey, marked, slotCount)
          if (next === undefined) return
          setMarked(next)
        }
        event.preventDefault()
        event.stopPropagation()
      },
    },
  }
}
