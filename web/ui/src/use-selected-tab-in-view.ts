import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * For a list of tabs that scrolls sideways: the selected one is scrolled into view, without moving the page. `count` is
 * in the labels of tabs, which it makes wider.
 */
export function useSelectedTabInView(
  selected: string,
  count?: number,
): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const tab = list.current?.querySelector('[role=tab][aria-selected=true]')
    if (list.current === null || !tab) return
    const visible = list.current.getBoundingClientRect()
    const { left, right } = tab.getBoundingClientRect()
    if (right > visible.right) list.current.scrollLeft += right - visible.right
    else if (left < visible.left) list.current.scrollLeft -= visible.left - left
  }, [selected, count])
  return list
}
