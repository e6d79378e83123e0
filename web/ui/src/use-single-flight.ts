import { useRef } from 'react'

interface Mutation<Variables, Data> {
  readonly mutate: (variables: Variables, callbacks: SingleFlightCallbacks<Data>) => void
}

export interface SingleFlightCallbacks<Data> {
  readonly onSuccess?: (data: Data) => void
  readonly onSettled?: () => void
}

/**
 * The `mutate` of a mutation without concurrent runs: calls during a run are ignored. `isPending` cannot
 * do this, because a second click can come before it renders.
 */
export function useSingleFlight<Variables, Data>(mutation: Mutation<Variables, Data>) {
  const isRunning = useRef(false)
  return (variables: Variables, onSuccess?: (data: Data) => void): void => {
    if (isRunning.current) return
    isRunning.current = true
    mutation.mutate(variables, {
      ...(onSuccess === undefined ? {} : { onSuccess }),
      onSettled() {
        isRunning.current = false
      },
    })
  }
}
