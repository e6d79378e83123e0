import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * Collects what is typed from the moment the palette is opened, while its code may still be loading. Returns a
 * function that ends this and returns the text. Escape calls `onCancel`.
 */
export function useTypedAhead(isOpen: boolean, onCancel: () => void): () => string {
  const typed = useRef('')
  const isTaken = useRef(false)
  const cancel = useRef(onCancel)
  useLayoutEffect(() => {
    cancel.current = onCancel
  })

  useLayoutEffect(() => {
    if (!isOpen) return
    function onKey(event: KeyboardEvent): void {
      if (isTaken.current || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Escape') cancel.current()
      else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1)
      else if (event.key.length === 1) typed.current += event.key
      else if (event.key !== 'Enter') return
      // The page has the focus and keys of its own.
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true })
      typed.current = ''
      isTaken.current = false
    }
  }, [isOpen])

  return useCallback(() => {
    isTaken.current = true
    return typed.current
  }, [])
}
