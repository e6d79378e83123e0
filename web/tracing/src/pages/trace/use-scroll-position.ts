import { type RefObject, useCallback } from 'react'

export interface ScrollPosition {
  readonly left: number
  readonly top: number
}

/** A ref for a scrolling element that is removed and added again: it keeps its position. */
export function useScrollPosition(position: RefObject<ScrollPosition | undefined>) {
  return useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined
      if (position.current !== undefined) element.scrollTo(position.current)
      const save = () => {
        position.current = { left: element.scrollLeft, top: element.scrollTop }
      }
      element.addEventListener('scroll', save, { passive: true })
      return () => element.removeEventListener('scroll', save)
    },
    [position],
  )
}
