import type { Trace } from '@assay/contract/traces.ts'
import { download } from '@assay/ui/download.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { readTraceJson } from '../../api/trace-json.ts'

export interface TraceDownload {
  readonly start: () => void
  readonly cancel: () => void
  /** The number of spans read so far; undefined while nothing is being read. */
  readonly spanCount: number | undefined
  readonly error: Error | null
}

/** Downloads a trace with all its spans as a JSON file. */
export function useTraceDownload({ project_id, trace_id }: Trace): TraceDownload {
  const running = useRef<AbortController>(undefined)
  const [spanCount, setSpanCount] = useState(0)
  const mutation = useMutation({
    mutationFn: async () => {
      const controller = new AbortController()
      running.current = controller
      setSpanCount(0)
      const parts = await readTraceJson(project_id, trace_id, controller.signal, setSpanCount)
      const name = `trace-${trace_id.replaceAll(/[^\w.-]/g, '-')}.json`
      if (!controller.signal.aborted) download(name, 'application/json', parts)
    },
  })
  useEffect(() => () => running.current?.abort(), [])
  return {
    start: () => {
      running.current?.abort()
      mutation.mutate()
    },
    cancel: () => {
      running.current?.abort()
      mutation.reset()
    },
    spanCount: mutation.isPending ? spanCount : undefined,
    error: mutation.error,
  }
}
