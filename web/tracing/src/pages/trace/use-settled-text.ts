import { useCallback, useEffect, useRef, useState } from 'react'

/** Browsers refuse a page that rewrites its address too often, as a held arrow key would. */
const settleMs = 200

interface Settling {
  readonly value: string | undefined
  /** What the address said when this was last compared with it. */
  readonly inAddress: string | undefined
  /** What this page wrote into the address last. */
  readonly written: string | undefined
}

/**
 * What is chosen, as it stands in the address: at once in the page, a moment later in the address. A change of
 * the address that did not come from here (back, a followed link) counts at once.
 */
export function useSettledText(
  inAddress: string | undefined,
  write: (value: string) => void,
): readonly [string | undefined, (value: string) => void] {
  const [state, setState] = useState<Settling>({
    value: inAddress,
    inAddress,
    written: undefined,
  })
  if (state.inAddress !== inAddress) {
    const value = inAddress === state.written ? state.value : inAddress
    setState({ ...state, inAddress, value })
  }
  const latest = useRef(write)
  useEffect(() => {
    latest.current = write
  })

  const { value, written } = state
  useEffect(() => {
    if (value === undefined || value === inAddress || value === written) return
    const timer = setTimeout(() => {
      setState((now) => ({ ...now, written: value }))
      latest.current(value)
    }, settleMs)
    return () => clearTimeout(timer)
  }, [value, inAddress, written])

  const set = useCallback((next: string) => setState((now) => ({ ...now, value: next })), [])
  return [value, set]
}
