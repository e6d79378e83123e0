import { base } from '@assay/account/api/base.ts'
import { openStream } from '@assay/contract/client.ts'
import { readTrace } from '@assay/contract/traces.ts'
import { splitTracePage } from './trace-page-text.ts'

/**
 * The whole trace as JSON, as the API returns a trace that fits on one page, in parts. `onProgress` gets the number of
 * spans read so far.
 */
export async function readTraceJson(
  projectId: string,
  traceId: string,
  signal: AbortSignal,
  onProgress: (spanCount: number) => void,
): Promise<readonly string[]> {
  const parts: string[] = []
  let spanCount = 0
  let cursor: string | null | undefined
  while (cursor !== null) {
    const query = { payload: 'full' as const, ...(cursor === undefined ? {} : { cursor }) }
    const args = { params: { projectId, traceId }, query }
    const stream = await openStream(base, readTrace, args, { signal })
    const { trace, spans, meta } = splitTracePage(await new Response(stream).text())
    parts.push(
      parts.length === 0 ? `${trace},"spans":[\n` : meta.pageSize === 0 ? '' : ',\n',
      spans,
    )
    spanCount += meta.pageSize
    onProgress(spanCount)
    cursor = meta.cursor
  }
  return [...parts, '\n]}\n']
}
