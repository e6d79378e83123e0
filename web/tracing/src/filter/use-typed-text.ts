import { useEffect, useRef, useState } from 'react'

const settleMs = 250

/**
 * A text that is typed here and lives elsewhere: told after a pause in typing, or at once by `settle`, and
 * renewed when it changes elsewhere.
 */
export function useTypedText(settled: string, onSettle: (text: string) => void) {
  const [text, setText] = useState(settled)
  const told = useRef(settled)
  const latest = useRef(onSettle)
  useEffect(() => {
    latest.current = onSettle
  })

  useEffect(() => {
    if (settled === told.current) return
    told.current = settled
    setText(settled)
  }, [settled])

  function settle(): void {
    const next = text.trim()
    if (next === told.current) return
    told.current = next
    latest.current(next)
  }

  const settleLatest = useRef(settle)
  useEffect(() => {
    settleLatest.current = settle
  })
  useEffect(() => {
    if (text.trim() === told.current) return
    const timer = setTimeout(() => settleLatest.current(), settleMs)
    return () => clearTimeout(timer)
  }, [text])

  return { text, type: setText, settle }
}
