import { useEffect, useRef, useState } from 'react'
import { openCommittedValues } from './committed-values.ts'

const debounceMs = 250

/** A local copy of `value` while typing. Commits after a pause, or at once with `flush`, and follows outside changes. */
export function useDebouncedInput(value: string, onCommit: (text: string) => void) {
  const [text, setText] = useState(value)
  const committed = useRef(openCommittedValues(value))
  const latest = useRef(onCommit)
  useEffect(() => {
    latest.current = onCommit
  })

  useEffect(() => {
    if (!committed.current.receive(value)) return
    setText(value)
  }, [value])

  function flush(): void {
    const next = text.trim()
    if (committed.current.commit(next)) latest.current(next)
  }

  const flushLatest = useRef(flush)
  useEffect(() => {
    flushLatest.current = flush
  })
  useEffect(() => {
    if (committed.current.isCurrent(text.trim())) return
    const timer = setTimeout(() => flushLatest.current(), debounceMs)
    return () => clearTimeout(timer)
  }, [text])

  return { text, type: setText, flush }
}
