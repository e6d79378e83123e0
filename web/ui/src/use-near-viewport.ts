import { useEffect, useRef, useState } from 'react'

/** Whether an element has ever been in or near the viewport. */
export function useNearViewport<Place extends Element>() {
  const place = useRef<Place>(null)
  const [isNearViewport, setNearViewport] = useState(false)
  useEffect(() => {
    if (place.current === null || isNearViewport) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNearViewport(true),
      { rootMargin: '600px' },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNearViewport])
  return { place, isNearViewport }
}
