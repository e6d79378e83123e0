import { useEffect, useRef, useState } from 'react'

/** Browsers refuse a page that rewrites its address too often, as a held arrow key would. */
const settleMs = 200

interface Selection {
  readonly spanId: string | undefined
  /** What the address said when this was last compared with it. */
  readonly inAddress: string | undefined
  /** What this page wrote into the address last. */
  readonly written: string | undefined
}

/**
 * The span that is looked at: at once in the page, a moment later in the address. A change of the address
 * that did not come from here (back, a followed link) counts at once.
 */
export function useSelectedSpan(
  inAddress: string | undefined,
  write: (spanId: string) => void,
): readonly [string | undefined, (spanId: string) => void] {
  const [selection, setSelection] = useState<Selection>({
    spanId: inAddress,
    inAddress,
    written: undefined,
  })
  if (selection.inAddress !== inAddress) {
    const spanId = inAddress === selection.written ? selection.spanId : inAddress
    setSelection({ ...selection, inAddress, spanId })
  }
  const latest = useRef(write)
  useEffect(() => {
    latest.current = write
  })

  const { spanId, written } = selection
  useEffect(() => {
    if (spanId === undefined || spanId === inAddress || spanId === written) return
    const timer = setTimeout(() => {
      setSelection((now) => ({ ...now, written: spanId }))
      latest.current(spanId)
    }, settleMs)
    return () => clearTimeout(timer)
  }, [spanId, inAddress, written])

  return [spanId, (next) => setSelection((now) => ({ ...now, spanId: next }))]
}
