import { randomBytes } from 'node:crypto'
import { ApiError, call, callWithMeta } from '@assay/contract/client.ts'
import { ingestTrace } from '@assay/contract/ingest.ts'
import { exportTraces } from '@assay/contract/otlp.ts'
import { signIn } from '@assay/contract/sign-in.ts'
import { listTraces, readTrace } from '@assay/contract/traces.ts'
import type { ProbeOptions } from './probe-options.ts'
import type { Route, Way } from './probe-stats.ts'

/*
 * The service through its public interface, as any client sees it.
 */

export interface Written {
  readonly traceId: string
  readonly route: Route
  readonly writtenAt: string
  /** A word that occurs in this trace only. */
  readonly word: string
}

export type Look = 'seen' | 'absent' | 'behind'

export interface ProbedService {
  /** Resolves when the trace is acknowledged; rejects otherwise. */
  write(route: Route): Promise<Written>
  /**
   * Whether this read returns the complete trace now. `behind`: the search reports that its index is
   * behind.
   */
  look(written: Written, way: Way): Promise<Look>
}

const spanCount = 2
const requestMs = 10_000

/** Allows for clock skew and for the time between writing and storing. */
const lagToleranceMs = 5_000

export interface ProbeCredentials {
  /** A tracing key of the project to write to. */
  readonly key: string
  /** The password or the session cookie. */
  readonly secret: string
}

/** Signs in and finds the project of the key; rejects if either fails. */
export async function openService(
  { api, email }: ProbeOptions,
  { key, secret }: ProbeCredentials,
): Promise<ProbedService> {
  const session = await openSession(api, email, secret)
  const runId = `probe-${randomBytes(6).toString('hex')}`
  const written = newWriting('JSON')
  const { project_id: projectId } = await writeJson(api, key, runId, written)
  const lookUpTrace = traceLookup(api, projectId, runId)
  await session.as((headers) => lookUpTrace(headers, written, 'by id'))
  return {
    async write(route) {
      const next = newWriting(route)
      if (route === 'JSON') await writeJson(api, key, runId, next)
      else await writeOtlp(api, key, runId, next)
      return next
    },
    look: (of, way) => session.as((headers) => lookUpTrace(headers, of, way)),
  }
}

type Headers = Readonly<Record<string, string>>

interface Session {
  /** Signs in again if the session has expired. */
  as<T>(request: (headers: Headers) => Promise<T>): Promise<T>
}

async function openSession(
  api: string,
  email: string | undefined,
  secret: string,
): Promise<Session> {
  if (email === undefined) return { as: (request) => request({ cookie: secret }) }
  let signedIn = signedInAs(api, email, secret)
  await signedIn
  return {
    async as(request) {
      const used = signedIn
      try {
        return await request(await used)
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401) throw error
        if (signedIn === used) signedIn = signedInAs(api, email, secret)
        return await request(await signedIn)
      }
    },
  }
}

async function signedInAs(api: string, email: string, password: string): Promise<Headers> {
  const response = await fetch(api + signIn.path, {
    method: signIn.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(requestMs),
  })
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0]
  if (response.ok && cookie !== undefined) return { cookie }
  const answer = (await response.json().catch(() => undefined)) as Refused | undefined
  throw new Error(answer?.error?.message ?? `Signing in was answered with ${response.status}.`)
}

interface Refused {
  readonly error?: { readonly message?: string }
}

function newWriting(route: Route): Written {
  const traceId = randomBytes(16).toString('hex')
  return { traceId, route, writtenAt: new Date().toISOString(), word: `w${traceId}` }
}

function writeJson(api: string, key: string, runId: string, { traceId, writtenAt, word }: Written) {
  const common = { started_at: writtenAt, ended_at: writtenAt }
  const body = {
    trace_id: traceId,
    root_name: 'assay probe',
    session_id: runId,
    tags: ['assay-probe'],
    spans: [
      { span_id: 'probe', name: 'assay probe', kind: 'chain', input: { word }, ...common },
      { span_id: 'step', parent_span_id: 'probe', name: 'step', kind: 'chain', ...common },
    ],
  }
  const init = { headers: { 'x-tracing-key': key }, signal: AbortSignal.timeout(requestMs) }
  return call(api, ingestTrace, { body, headers: {} }, init)
}

async function writeOtlp(
  api: string,
  key: string,
  runId: string,
  { traceId, writtenAt, word }: Written,
): Promise<void> {
  const nanos = `${Date.parse(writtenAt)}000000`
  const [rootId, stepId] = [traceId.slice(0, 16), traceId.slice(16)]
  const common = { traceId, startTimeUnixNano: nanos, endTimeUnixNano: nanos }
  const text = (name: string, value: string) => ({ key: name, value: { stringValue: value } })
  const attributes = [text('session.id', runId), text('input.value', word)]
  const spans = [
    { ...common, spanId: rootId, name: 'assay probe', attributes },
    { ...common, spanId: stepId, parentSpanId: rootId, name: 'step' },
  ]
  const response = await fetch(api + exportTraces.path, {
    method: exportTraces.method,
    headers: { 'x-tracing-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    signal: AbortSignal.timeout(requestMs),
  })
  const answer = await response.text()
  if (!response.ok || answer !== '{}') throw new Error(`The traces were answered with ${answer}`)
}

function traceLookup(api: string, projectId: string, runId: string) {
  return async (headers: Headers, written: Written, way: Way): Promise<Look> => {
    const { traceId, word, writtenAt: from } = written
    const init = { headers, signal: AbortSignal.timeout(requestMs) }
    if (way === 'by id') {
      return (await isWhole(api, { projectId, traceId }, init)) ? 'seen' : 'absent'
    }
    // Others write at the same time, so the list is read around the start of this trace.
    const to = new Date(Date.parse(from) + 1).toISOString()
    const query = way === 'in the list' ? { session_id: runId, from, to } : { q: word }
    const args = { params: { projectId }, query }
    const requestedAt = Date.now()
    const { data, meta } = await callWithMeta(api, listTraces, args, init)
    const isListed = data.some(
      ({ trace_id, span_count }) => trace_id === traceId && span_count === spanCount,
    )
    if (isListed) return 'seen'
    return (meta.search_lag_ms ?? 0) > requestedAt - Date.parse(from) - lagToleranceMs
      ? 'behind'
      : 'absent'
  }
}

async function isWhole(
  api: string,
  params: { readonly projectId: string; readonly traceId: string },
  init: RequestInit,
): Promise<boolean> {
  try {
    const { spans } = await call(api, readTrace, { params, query: {} }, init)
    return spans.length === spanCount
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return false
    throw error
  }
}
