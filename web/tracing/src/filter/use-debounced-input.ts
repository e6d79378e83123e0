import { useEffect, useRef, useState } from 'react'

const debounceMs = 250

/** A local copy of `value` while typing. Commits after a pause, or at once with `flush`, and follows outside changes. */
export function useDebouncedInput(value: string, onCommit: (text: string) => void) {
  const [text, setText] = useState(value)
  const committed = useRef(value)
  const latest = useRef(onCommit)
  useEffect(() => {
    latest.current = onCommit
  })

  useEffect(() => {
    if (value === committed.current) return
    committed.current = value
    setText(value)
  }, [value])

  function flush(): void {
    const next = text.trim()
    if (next === committed.current) return
    committed.current = next
    latest.current(next)
  }

  const flushLatest = useRef(flush)
  useEffect(() => {
    flushLatest.current = flush
  })
  useEffect(() => {
    if (text.trim() === committed.current) return
    const timer = setTimeout(() => flushLatest.current(), debounceMs)
    return () => clearTimeout(timer)
  }, [text])

  return { text, type: setText, flush }
}
