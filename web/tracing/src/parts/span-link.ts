/** The link to a span, or to its trace if the span is unknown. */
export function spanLink(projectId: string, traceId: string, spanId: string | null) {
  return {
    to: '/p/$projectId/traces/$traceId',
    params: { projectId, traceId },
    search: spanId === null ? {} : { span: spanId },
  } as const
}
