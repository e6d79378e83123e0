import { type RefObject, useEffect } from 'react'

/** Marks a scroller, for its style sheet, while columns are cut off at its right side. */
export function useOverflowCue(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = scroller.current
    if (box === null) return
    const update = () => {
      const hiddenPx = box.scrollWidth - box.clientWidth - box.scrollLeft
      box.toggleAttribute('data-cut', hiddenPx > 1)
    }
    const sizes = new ResizeObserver(update)
    sizes.observe(box)
    for (const child of box.children) sizes.observe(child)
    box.addEventListener('scroll', update, { passive: true })
    return () => {
      sizes.disconnect()
      box.removeEventListener('scroll', update)
    }
  }, [scroller])
}
