import { base } from '@assay/account/api/base.ts'
import { call, callWithMeta } from '@assay/contract/client.ts'
import type { DataOf } from '@assay/contract/endpoint.ts'
import { listTraceSessions, listTraceUsers } from '@assay/contract/stats.ts'
import { listTraces, readSpan, readTrace, type Span, type Trace } from '@assay/contract/traces.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { findModelCall, findProblem, findRoot } from '../conversation/turn-spans.ts'

/*
 * The sessions and end users found in traces. Not to be confused with the sessions of users signed in to Assay.
 */

type TraceSession = DataOf<typeof listTraceSessions>[number]

export type TraceGroupStats = Omit<TraceSession, 'session_id'>

export interface TraceGroup extends TraceGroupStats {
  readonly id: string
}

interface TraceGroupPage {
  readonly items: readonly TraceGroup[]
  readonly nextCursor: string | null
  readonly completeFrom: string | null
}

/** The loaded groups. */
export interface TraceGroups {
  readonly groups: readonly TraceGroup[]
  /** Earlier traces are not included; null if all are. */
  readonly completeFrom: string | null
}

export function toTraceGroups({
  pages,
}: {
  readonly pages: readonly TraceGroupPage[]
}): TraceGroups {
  return {
    groups: pages.flatMap(({ items }) => items),
    // Pages continue backward in time, and sums of earlier pages are not updated.
    completeFrom: pages.find(({ completeFrom }) => completeFrom !== null)?.completeFrom ?? null,
  }
}

const groupPageSize = 50

export function traceSessionsQuery(projectId: string) {
  return infiniteQueryOptions({
    queryKey: ['trace-sessions', projectId],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<TraceGroupPage> => {
      const args = { params: { projectId }, query: toPageQuery(pageParam) }
      const { data, meta } = await callWithMeta(base, listTraceSessions, args, { signal })
      const items = data.map(({ session_id, ...stats }) => ({ id: session_id, ...stats }))
      return { items, nextCursor: meta.cursor, completeFrom: meta.complete_from }
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: toTraceGroups,
  })
}

export function traceUsersQuery(projectId: string) {
  return infiniteQueryOptions({
    queryKey: ['trace-users', projectId],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<TraceGroupPage> => {
      const args = { params: { projectId }, query: toPageQuery(pageParam) }
      const { data, meta } = await callWithMeta(base, listTraceUsers, args, { signal })
      const items = data.map(({ user_id, ...stats }) => ({ id: user_id, ...stats }))
      return { items, nextCursor: meta.cursor, completeFrom: meta.complete_from }
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: toTraceGroups,
  })
}

function toPageQuery(cursor: string | undefined) {
  return { limit: groupPageSize, ...(cursor === undefined ? {} : { cursor }) }
}

const turnsPageSize = 20

/** The traces of a session, newest first, page by page. */
export function sessionTracesQuery(projectId: string, sessionId: string) {
  return infiniteQueryOptions({
    queryKey: ['session-traces', projectId, sessionId],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = {
        session_id: sessionId,
        limit: turnsPageSize,
        ...(cursor === undefined ? {} : { cursor }),
      }
      const args = { params: { projectId }, query }
      const { data, meta } = await callWithMeta(base, listTraces, args, { signal })
      return { traces: data, nextCursor: meta.cursor }
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

export interface Turn {
  /** The span with the messages; undefined if the trace has none. */
  readonly span: Span | undefined
  /** Otherwise it is the last model call, because the root is empty. */
  readonly isRoot: boolean
  /** The error message of a failed trace. */
  readonly problem: string | undefined
}

/** Refetched when the trace changes. */
export function turnQuery({ project_id: projectId, trace_id: traceId, updated_at }: Trace) {
  return queryOptions({
    queryKey: ['turn', projectId, traceId, updated_at],
    queryFn: ({ signal }) => readTurn(projectId, traceId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // Bodies can be megabytes: neither compared structurally nor cached for long.
    structuralSharing: false,
    gcTime: 60_000,
  })
}

/** The messages of a trace: from its root, otherwise from its last model call. */
export async function readTurn(
  projectId: string,
  traceId: string,
  signal: AbortSignal,
): Promise<Turn> {
  const read = (spanId: string) =>
    call(base, readSpan, { params: { projectId, traceId, spanId } }, { signal })
  const args = { params: { projectId, traceId }, query: { payload: 'none' as const } }
  const { spans } = await call(base, readTrace, args, { signal })
  const problem = findProblem(spans)
  const head = findRoot(spans)
  if (head === undefined) return { span: undefined, isRoot: true, problem }
  const root = await read(head.span_id)
  const modelCall = findModelCall(spans)
  if (isSilent(root) && modelCall !== undefined && modelCall.span_id !== root.span_id) {
    return { span: await read(modelCall.span_id), isRoot: false, problem }
  }
  return { span: root, isRoot: true, problem }
}

function isSilent({ input, output }: Span): boolean {
  return (input ?? null) === null && (output ?? null) === null
}
