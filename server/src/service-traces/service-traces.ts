import { setTimeout as sleep } from 'node:timers/promises'
import type { TraceLabels } from '../domain/span.ts'
import { Unavailable } from '../platform/failure.ts'
import type { Log } from '../platform/log.ts'
import { openByteBudget } from '../platform/member-budget.ts'
import type { Requester } from '../platform/requester.ts'
import type { Accounts } from '../storage/accounts/connect.ts'
import type { EncodedBatch } from '../storage/telemetry/port/ingest.ts'
import type { TelemetryStore } from '../storage/telemetry/port/store.ts'

/*
 * Stores the traces of model calls that the service makes itself: of turns, judges and simulations. Exporters send theirs
 * again after the store was unavailable; nobody does that with these, so they wait in memory.
 */

export interface ServiceTraces {
  /**
   * Resolves after the first attempt. While the store is unavailable, further attempts follow in the background. Never
   * rejects: a trace that is lost is logged, and returns false if that is known already.
   */
  record(trace: ServiceTrace): Promise<boolean>
  /** Attempts to store what is not stored yet, once. */
  stop(): Promise<void>
}

export interface ServiceTrace {
  /** Of the line in the log that says that it could not be recorded, such as "the call of a judge". */
  readonly subject: string
  readonly organizationId: string
  readonly projectId: string
  /** In whose budget it waits. */
  readonly requester: Requester
  readonly labels: TraceLabels
  readonly spans: EncodedBatch
}

export interface ServiceTracesPorts {
  readonly accounts: Pick<Accounts, 'projects'>
  readonly telemetry: Pick<TelemetryStore, 'record'>
  readonly log: Log
}

export interface ServiceTraceLimits {
  /** Before each further attempt. */
  readonly pausesMs: readonly number[]
  /** What all waiting traces may hold. */
  readonly waitingBytes: number
  /** How long a stop waits for the last attempts. */
  readonly lastAttemptMs: number
}

/** Five minutes together. */
const pausesSeconds = [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30, 30, 30]

const usualLimits: ServiceTraceLimits = {
  pausesMs: pausesSeconds.map((seconds) => seconds * 1000),
  waitingBytes: 32 * 1024 * 1024,
  lastAttemptMs: 4000,
}

/** A waiting trace counts as at least so many bytes, which limits their number to 2,048. */
const leastBytes = 16 * 1024

export function openServiceTraces(
  { accounts, telemetry, log }: ServiceTracesPorts,
  changed: Partial<ServiceTraceLimits> = {},
): ServiceTraces {
  const { pausesMs, waitingBytes, lastAttemptMs } = { ...usualLimits, ...changed }
  const stopping = new AbortController()
  const retrying = new Set<Promise<void>>()
  const budget = openByteBudget({
    ...{ total: waitingBytes, ofOrganization: waitingBytes / 2, ofUser: waitingBytes / 8 },
    refusal: 'Too many traces wait for the store.',
  })

  async function attempt({ organizationId, projectId, labels, spans }: ServiceTrace) {
    // Of a project that was removed meanwhile, nothing is stored.
    if ((await accounts.projects.find(organizationId, projectId)) === undefined) return
    // The store takes the buffers that it gets. Encoding again would give the spans other ids.
    const copy = { ...spans, parts: spans.parts.map((part) => part.slice()) }
    await telemetry.record({ projectId, organizationId, source: 'json', spans: copy, labels })
  }

  /** Never rejects. */
  async function retry(trace: ServiceTrace, failure: unknown): Promise<void> {
    let last = failure
    for (const pauseMs of pausesMs) {
      if (stopping.signal.aborted || !(last instanceof Unavailable)) break
      // A stop ends the pause.
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      try {
        return await attempt(trace)
      } catch (error) {
        last = error
      }
    }
    logLost(trace, last)
  }

  function logLost({ subject, projectId }: ServiceTrace, failure: unknown): void {
    log.error(`${subject} could not be recorded`, failure, { projectId })
  }

  /** False when too much waits already. */
  function keep(trace: ServiceTrace, failure: Unavailable): boolean {
    let release: () => void
    try {
      release = budget.take(trace.requester, Math.max(trace.spans.sizeBytes, leastBytes))
    } catch {
      return false
    }
    const ended = retry(trace, failure).finally(() => {
      retrying.delete(ended)
      release()
    })
    retrying.add(ended)
    return true
  }

  return {
    async record(trace) {
      try {
        await attempt(trace)
        return true
      } catch (error) {
        if (error instanceof Unavailable && keep(trace, error)) return true
        logLost(trace, error)
        return false
      }
    },

    async stop() {
      stopping.abort()
      const timeout = sleep(lastAttemptMs, undefined, { ref: false })
      await Promise.race([Promise.all(retrying), timeout])
    },
  }
}
