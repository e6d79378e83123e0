import { useCallback, useState } from 'react'

const messagesPerStep = 30

/**
 * How many messages of a branch are shown, from its end: a step at first, and more on request. Messages that are added
 * do not push others out, which would move the page.
 */
export function useShownMessages(total: number) {
  const [first, setFirst] = useState<number>()
  const atMost = Math.max(0, total - messagesPerStep)
  // Undefined until the conversation is loaded; a shorter branch begins earlier.
  if (total > 0 && (first === undefined || first > atMost)) setFirst(atMost)
  const showEarlier = useCallback(
    () => setFirst((before = 0) => Math.max(0, before - messagesPerStep)),
    [],
  )
  return { count: total - Math.min(first ?? atMost, atMost), showEarlier }
}
