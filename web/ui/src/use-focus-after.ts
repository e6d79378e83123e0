import { type RefObject, useEffect, useRef } from 'react'

/** The element that takes the focus when a form that had it has closed. */
export function useFocusAfter<Target extends HTMLElement>(
  isOpen: boolean,
): RefObject<Target | null> {
  const target = useRef<Target>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (wasOpen.current && !isOpen && isLost) target.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return target
}
