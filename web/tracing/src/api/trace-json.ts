import { base } from '@assay/account/api/base.ts'
import { callWithMeta } from '@assay/contract/client.ts'
import { readTrace } from '@assay/contract/traces.ts'

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
    const { data, meta } = await callWithMeta(base, readTrace, args, { signal })
    const { spans, ...trace } = data
    parts.push(parts.length === 0 ? beforeSpans(trace) : spans.length === 0 ? '' : ',\n')
    parts.push(spans.map((span) => JSON.stringify(span)).join(',\n'))
    spanCount += spans.length
    onProgress(spanCount)
    cursor = meta.cursor
  }
  return [...parts, '\n]}\n']
}

function beforeSpans(trace: object): string {
  return `${JSON.stringify(trace).slice(0, -1)},"spans":[\n`
}
