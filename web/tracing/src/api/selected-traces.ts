import { base } from '@assay/account/api/base.ts'
import { ApiError, call, openStream } from '@assay/contract/client.ts'
import { exportSelectedTrajectories } from '@assay/contract/export.ts'
import { tagTraces } from '@assay/contract/trace-management.ts'
import { download } from '@assay/ui/download.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'

/*
 * Actions on selected traces.
 */

interface TagChange {
  readonly trace_ids: string[]
  readonly add: string[]
  readonly remove: string[]
}

/** Changes the tags of traces. Their open pages are refetched; lists are left to the caller. */
export function useTagTraces(projectId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: TagChange) => call(base, tagTraces, { params: { projectId }, body }),
    onSuccess: (_tagged, { trace_ids }) => {
      for (const id of trace_ids) {
        void queryClient.invalidateQueries({ queryKey: ['trace', projectId, id] })
      }
    },
  })
}

/** Downloads traces as JSON lines. */
export function useExportTraces(projectId: string) {
  return useMutation({
    async mutationFn(traceIds: readonly string[]) {
      const args = { params: { projectId }, body: { trace_ids: [...traceIds] } }
      const stream = await openStream(base, exportSelectedTrajectories, args)
      const blob = await new Response(stream).blob()
      const message = findError(await blob.slice(-errorLineBytes).text())
      if (message !== undefined) throw new ApiError(200, 'STREAM_ERROR', message)
      download('traces.jsonl', 'application/x-ndjson', [blob])
    },
  })
}

/** An export that is cut off ends with a line that has only an error message. */
const errorLineBytes = 2000

function findError(end: string): string | undefined {
  const line = end.trimEnd().split('\n').at(-1) ?? ''
  if (!line.startsWith('{"type":"error"')) return undefined
  return (JSON.parse(line) as { readonly message: string }).message
}
