import { isTyping } from '@assay/ui/shortcut-keys.ts'
import { useEffect, useRef } from 'react'

/**
 * Keys that work wherever the focus is on the page, except where they are typed, in menus, and with modifiers that are
 * shortcuts of the browser.
 */
export function usePageKeys(
  keys: ReadonlySet<string>,
  onPageKey: (event: KeyboardEvent) => void,
): void {
  const latest = useRef(onPageKey)
  useEffect(() => {
    latest.current = onPageKey
  })
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { key, target, ctrlKey, metaKey, altKey } = event
      if (!keys.has(key) || ctrlKey || metaKey || altKey || event.defaultPrevented) return
      if (isTyping(target) || (target instanceof Element && target.closest('[role=menu]'))) return
      event.preventDefault()
      latest.current(event)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [keys])
}
