import { useCallback, useEffect, useRef, useState } from 'react'

/** Browsers throttle frequent URL changes, as from a held arrow key. */
const debounceMs = 200

interface DebounceState {
  readonly value: string | undefined
  /** The URL value at the last comparison. */
  readonly param: string | undefined
  /** The value last written to the URL by this page. */
  readonly written: string | undefined
}

/**
 * State that is mirrored to a URL parameter after a delay. External URL changes (back, links) apply at once.
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
