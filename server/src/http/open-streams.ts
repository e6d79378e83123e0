import { limits } from '@assay/contract/limits.ts'
import { openMemberBudget } from '../platform/member-budget.ts'
import type { Requester } from '../platform/requester.ts'
import { longestStreamMs } from './streams.ts'

/*
 * Limits how many streams are open at once, exports separately, and ends streams whose callers have lost access: by
 * signing out, for example, or because their role has changed.
 */

export interface OpenStreams {
  /**
   * Call it before the handler. `admit` rejects when the caller has no access any more. Throws Unavailable when too many
   * streams are open.
   */
  open(
    kind: 'live' | 'export',
    requester: Requester,
    admit: () => Promise<unknown>,
    gone: AbortSignal,
  ): OpenStream
}

export interface OpenStream {
  /** Aborts when the client disconnects, access is lost, the time is up, or the server stops. */
  readonly signal: AbortSignal
  /** Call it before each message: checks the access again if the last check is too old. */
  recheck(): Promise<void>
  close(): void
}

/** Access that is lost ends a stream after at most the sum of these. */
const recheckAfterMs = 1500
const idleCheckMs = 1000
/** A reply of a model ends by itself at the limit, and has then some events left. */
const lateMs = 5_000

export function openStreams(stopping: AbortSignal): OpenStreams {
  const budget = openMemberBudget({
    total: limits.openStreams.value,
    ofOrganization: limits.openStreamsOfOrganization.value,
    ofUser: limits.openStreamsOfUser.value,
    refusal: 'Too many streams are open. Close one, or try again shortly.',
  })
  const exports = openMemberBudget({
    total: limits.openExports.value,
    ofOrganization: limits.openExportsOfOrganization.value,
    ofUser: limits.openExportsOfUser.value,
    refusal: 'Too many exports are running. Cancel one, or try again when one has ended.',
  })
  const take = (kind: 'live' | 'export', requester: Requester) => {
    const releaseExport = kind === 'export' ? exports.take(requester) : () => undefined
    try {
      const release = budget.take(requester)
      return () => {
        releaseExport()
        release()
      }
    } catch (error) {
      releaseExport()
      throw error
    }
  }
  return {
    open(kind, requester, admit, gone) {
      const release = take(kind, requester)
      const { lost, recheck } = watchAccess(admit)
      const timer = setInterval(() => void recheck(), idleCheckMs)
      const timeUp = AbortSignal.timeout(longestStreamMs + lateMs)
      return {
        signal: AbortSignal.any([gone, lost, stopping, timeUp]),
        recheck,
        close() {
          clearInterval(timer)
          release()
        },
      }
    },
  }
}

/** Access that cannot be checked counts as lost. */
function watchAccess(admit: () => Promise<unknown>) {
  const lost = new AbortController()
  let checkedAt = performance.now()
  let checking: Promise<void> | undefined
  const check = async () => {
    const startedAt = performance.now()
    try {
      await admit()
      checkedAt = startedAt
    } catch (error) {
      lost.abort(error)
    } finally {
      checking = undefined
    }
  }
  return {
    lost: lost.signal,
    async recheck() {
      if (lost.signal.aborted || performance.now() - checkedAt < recheckAfterMs) return
      await (checking ??= check())
    },
  }
}
