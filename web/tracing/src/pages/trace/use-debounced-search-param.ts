import { useCallback, useEffect, useRef, useState } from 'react'

/** Browsers refuse a page that rewrites its address too often, as a held arrow key would. */
const debounceMs = 200

interface DebounceState {
  readonly value: string | undefined
  /** What the address said when this was last compared with it. */
  readonly param: string | undefined
  /** What this page wrote into the address last. */
  readonly written: string | undefined
}

/**
 * What is chosen, as it stands in the address: at once in the page, a moment later in the address. A change of
 * the address that did not come from here (back, a followed link) counts at once.
 */
export function useDebouncedSearchParam(
  param: string | undefined,
  write: (value: string) => void,
): readonly [string | undefined, (value: string) => void] {
  const [state, setState] = useState<DebounceState>({
    value: param,
    param,
    written: undefined,
  })
  if (state.param !== param) {
    const value = param === state.written ? state.value : param
    setState({ ...state, param, value })
  }
  const latest = useRef(write)
  useEffect(() => {
    latest.current = write
  })

  const { value, written } = state
  useEffect(() => {
    if (value === undefined || value === param || value === written) return
    const timer = setTimeout(() => {
      setState((now) => ({ ...now, written: value }))
      latest.current(value)
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [value, param, written])

  const set = useCallback((next: string) => setState((now) => ({ ...now, value: next })), [])
  return [value, set]
}
