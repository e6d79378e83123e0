import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

export interface CancelableRequest<Body> {
  /** Ignored while a request is under way. */
  readonly start: (body: Body) => void
  /** Closes the connection, which ends the work in the service. */
  readonly cancel: () => void
  readonly isPending: boolean
  readonly startedAt: number
  readonly error: Error | null
}

/** A long request that is canceled when its component unmounts. */
export function useCancelableRequest<Body, Data>(
  send: (body: Body, signal: AbortSignal) => Promise<Data>,
  onDone: (data: Data) => void,
): CancelableRequest<Body> {
  const running = useRef<AbortController>(undefined)
  const { mutate, reset, isPending, submittedAt, error } = useMutation({
    mutationFn: ({ body, abort }: { readonly body: Body; readonly abort: AbortController }) =>
      send(body, abort.signal),
    onSuccess: (data, { abort }) => {
      if (!abort.signal.aborted) onDone(data)
    },
    onSettled: (_data, _error, { abort }) => {
      if (running.current === abort) running.current = undefined
    },
  })
  useEffect(() => () => running.current?.abort(), [])
  return {
    start(body) {
      if (running.current !== undefined) return
      const abort = new AbortController()
      running.current = abort
      mutate({ body, abort })
    },
    cancel() {
      running.current?.abort()
      running.current = undefined
      reset()
    },
    ...{ isPending, error, startedAt: submittedAt },
  }
}
