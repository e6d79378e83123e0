import { useEffect, useRef } from 'react'

/** From here on, the end counts as in view. */
const nearPx = 40
const upwardKeys: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home'])

/**
 * Keeps the end of a growing content in view, until the person scrolls up, and again when `sent`
 * changes, which identifies what the person sent last. Sizes are observed, not changes of the document: content that comes into view gets its size later.
 */
export function useFollowEnd(sent: string | undefined) {
  const viewport = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const following = useRef<ReturnType<typeof followEnd>>(undefined)
  useEffect(() => {
    if (viewport.current === null || content.current === null) return
    following.current = followEnd(viewport.current, content.current)
    return following.current.end
  }, [])
  useEffect(() => {
    if (sent !== undefined) following.current?.toEnd()
  }, [sent])
  return { viewport, content }
}

function followEnd(scrolled: HTMLElement, grown: HTMLElement) {
  const ending = new AbortController()
  const options = { passive: true, signal: ending.signal }
  let isFollowing = true
  let last = { top: scrolled.scrollTop, height: scrolled.scrollHeight }
  // Content that shrinks moves the position too, so only what the person does counts.
  const leaveEnd = () => {
    if (scrolled.scrollTop > 0) isFollowing = false
  }
  const onScroll = () => {
    const { scrollTop: top, scrollHeight: height, clientHeight } = scrolled
    // The content may have grown since the position was set to its end.
    const end = top > last.top ? Math.min(last.height, height) : height
    if (end - top - clientHeight < nearPx) isFollowing = true
    last = { top, height }
  }
  scrolled.addEventListener('scroll', onScroll, options)
  scrolled.addEventListener('wheel', ({ deltaY }) => deltaY < 0 && leaveEnd(), options)
  scrolled.addEventListener('touchmove', leaveEnd, options)
  scrolled.addEventListener('keydown', ({ key }) => upwardKeys.has(key) && leaveEnd(), options)
  // Only the scroll bar belongs to the element itself.
  const onPointer = ({ target }: Event) => target === scrolled && leaveEnd()
  scrolled.addEventListener('pointerdown', onPointer, options)
  const showEnd = () => {
    if (isFollowing) scrolled.scrollTop = scrolled.scrollHeight
  }
  const observer = new ResizeObserver(showEnd)
  observer.observe(scrolled)
  observer.observe(grown)
  return {
    toEnd() {
      isFollowing = true
      showEnd()
    },
    end() {
      ending.abort()
      observer.disconnect()
    },
  }
}
