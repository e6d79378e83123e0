import { useEffect, useRef } from 'react'

/** Acts once, when the page has opened; strict mode opens pages twice. */
export function useOnce(act: () => void): void {
  const isStarted = useRef(false)
  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    act()
  }, [act])
}
