import { setTimeout as sleep } from 'node:timers/promises'
import type { TraceLabels } from '../../domain/span.ts'
import { Unavailable } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import { openMemberBudget } from '../../platform/member-budget.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import type { EncodedBatch } from '../../storage/telemetry/port/ingest.ts'
import type { TelemetryStore } from '../../storage/telemetry/port/store.ts'

/*
 * Stores the traces of turns. Exporters send theirs again after the store was unavailable; nobody does that with these, so
 * they wait in memory.
 */

export interface TurnTraces {
  /**
   * Resolves after the first attempt. While the store is unavailable, further attempts follow in the background, and the
   * last failure is logged. Rejects if the first attempt fails otherwise.
   */
  record(trace: TurnTrace): Promise<void>
  /** Attempts to store what is not stored yet, once. */
  stop(): Promise<void>
}

export interface TurnTrace {
  readonly organizationId: string
  readonly projectId: string
  readonly userId: string
  readonly labels: TraceLabels
  readonly spans: EncodedBatch
}

export interface TurnTracesPorts {
  readonly accounts: Accounts
  readonly telemetry: TelemetryStore
  readonly log: Log
}

export interface TurnTraceLimits {
  /** Before each further attempt. */
  readonly pausesMs: readonly number[]
  /** What all waiting traces may hold. */
  readonly waitingBytes: number
  /** How long a stop waits for the last attempts. */
  readonly lastAttemptMs: number
}

/** Five minutes together. */
const pausesSeconds = [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30, 30, 30]

const usualLimits: TurnTraceLimits = {
  pausesMs: pausesSeconds.map((seconds) => seconds * 1000),
  waitingBytes: 32 * 1024 * 1024,
  lastAttemptMs: 4000,
}

/** A waiting trace counts as at least so many bytes, which limits their number to 2,048. */
const leastBytes = 16 * 1024

export function openTurnTraces(
  { accounts, telemetry, log }: TurnTracesPorts,
  changed: Partial<TurnTraceLimits> = {},
): TurnTraces {
  const { pausesMs, waitingBytes, lastAttemptMs } = { ...usualLimits, ...changed }
  const stopping = new AbortController()
  const retrying = new Set<Promise<void>>()
  const budget = openMemberBudget({
    ...{ total: waitingBytes, ofOrganization: waitingBytes / 2, ofUser: waitingBytes / 8 },
    refusal: 'Too many traces of turns wait for the store.',
  })

  async function attempt(trace: TurnTrace): Promise<void> {
    const { organizationId, projectId, userId, labels, spans } = trace
    // Of a project that was removed meanwhile, nothing is stored.
    const access = await accounts.memberships.findProjectAccess(projectId, userId)
    if (access === undefined) return
    // The store takes the buffers that it gets. Encoding again would give the spans other ids.
    const copy = { ...spans, parts: spans.parts.map((part) => part.slice()) }
    await telemetry.record({ projectId, organizationId, source: 'json', spans: copy, labels })
  }

  /** Never rejects. */
  async function retry(trace: TurnTrace, failure: unknown): Promise<void> {
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
    const { projectId } = trace
    log.error('a turn of a conversation could not be recorded', last, { projectId })
  }

  /** Throws the failure when too much waits already. */
  function keep(trace: TurnTrace, failure: Unavailable): void {
    const { organizationId, userId, spans } = trace
    let release: () => void
    try {
      release = budget.take([organizationId, userId], Math.max(spans.sizeBytes, leastBytes))
    } catch {
      throw failure
    }
    const ended = retry(trace, failure).finally(() => {
      retrying.delete(ended)
      release()
    })
    retrying.add(ended)
  }

  return {
    async record(trace) {
      try {
        await attempt(trace)
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        keep(trace, error)
      }
    },

    async stop() {
      stopping.abort()
      const timeout = sleep(lastAttemptMs, undefined, { ref: false })
      await Promise.race([Promise.all(retrying), timeout])
    },
  }
}
