import { limits } from '@assay/contract/limits.ts'
import { openMemberBudget } from '../../../platform/member-budget.ts'
import { openMemberQueue } from '../../../platform/member-queue.ts'
import type { Requester } from '../../../platform/requester.ts'
import { defaultDeadlineMs, type ReadOptions, ReadTimeout } from '../port/read-options.ts'
import type { StatementOptions } from './connection.ts'

/*
 * Whose read the engine works on. Organizations take turns, and in them their people; a person and an organization leave
 * some of the reads that run at once to others. Reads that are expected to be quick have turns of their own.
 */

export interface ReadTurns {
  /** For reads that may examine many rows. */
  readonly scan: RunRead
  /** For reads that are quick. */
  readonly lookup: RunRead
  /** Resolves when no read runs or waits. */
  drain(): Promise<void>
}

/** Runs `read` when it is its turn. It is stopped by the signal of the options and by its deadline. */
export type RunRead = <Result>(
  projectId: string,
  options: ReadOptions | undefined,
  read: (statement: StatementOptions) => Promise<Result>,
) => Promise<Result>

export interface ReadTurnsSettings {
  /** Of the server. */
  readonly processors: number
  /** For reads without a deadline of their own. */
  readonly deadlineMs?: number | undefined
}

/** How many run at once. More than the processors of the server only share these, also with what is being stored. */
interface Places {
  readonly total: number
  readonly ofOrganization: number
  readonly ofUser: number
}

/** Of one statement, at most. */
const processorsOfRead = 4

export function openReadTurns({
  processors,
  deadlineMs: deadlineOfStoreMs = defaultDeadlineMs,
}: ReadTurnsSettings): ReadTurns {
  const budget = openMemberBudget({
    total: limits.unfinishedReads.value,
    ofOrganization: limits.unfinishedReadsOfOrganization.value,
    ofUser: limits.unfinishedReadsOfUser.value,
    refusal: 'Too many queries are waiting. Try again shortly.',
  })
  const scansAtOnce = Math.min(Math.max(2 * processors, 4), 12)
  const scans = openQueue(toPlaces(scansAtOnce))
  const lookups = openQueue(toPlaces(2 * scansAtOnce))
  const ofStatement = Math.min(processors, processorsOfRead)
  const runIn =
    (queue: Queue): RunRead =>
    async (projectId, options = {}, read) => {
      const { requester: given, signal, deadlineMs = deadlineOfStoreMs } = options
      signal?.throwIfAborted()
      if (deadlineMs <= 0) throw new ReadTimeout()
      // A copy of its own, which stands for this read among those that run.
      const [organizationId, userId] = given ?? [projectId, projectId]
      const requester: Requester = [organizationId, userId]
      const release = budget.take(requester)
      const endsAt = performance.now() + deadlineMs
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(new ReadTimeout()), deadlineMs)
      const stop = AbortSignal.any([deadline.signal, ...(signal === undefined ? [] : [signal])])
      try {
        await queue.waitForTurn(requester, stop)
        const timeoutMs = endsAt - performance.now()
        const result = await read({ signal: stop, timeoutMs, processors: ofStatement })
        stop.throwIfAborted()
        return result
      } finally {
        clearTimeout(timer)
        release()
        queue.end(requester)
      }
    }
  return {
    scan: runIn(scans),
    lookup: runIn(lookups),
    async drain() {
      await Promise.all([scans.drain(), lookups.drain()])
    },
  }
}

function toPlaces(total: number): Places {
  return { total, ofOrganization: Math.floor(0.75 * total), ofUser: Math.floor(total / 2) }
}

interface Waiting {
  readonly requester: Requester
  start(): void
}

type Queue = ReturnType<typeof openQueue>

function openQueue(places: Places) {
  const waiting = openMemberQueue<Waiting>()
  const running = new Set<Requester>()
  const drained: (() => void)[] = []

  const count = (isOf: (requester: Requester) => boolean) => [...running].filter(isOf).length
  const mayRun = ([organizationId, userId]: Requester) =>
    count(([own]) => own === organizationId) < places.ofOrganization &&
    count(([, own]) => own === userId) < places.ofUser
  const startNext = () => {
    while (running.size < places.total) {
      const next = waiting.take(mayRun)
      if (next === undefined) break
      next.charge(1)
      next.item.start()
    }
    if (running.size === 0 && waiting.size === 0) for (const each of drained.splice(0)) each()
  }
  return {
    async waitForTurn(requester: Requester, signal: AbortSignal): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const item: Waiting = {
        requester,
        start() {
          running.add(requester)
          resolve()
        },
      }
      const onAbort = () => {
        waiting.remove(requester, item)
        reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort)
      waiting.add(requester, item)
      startNext()
      await promise.finally(() => signal.removeEventListener('abort', onAbort))
    },
    end(requester: Requester): void {
      running.delete(requester)
      startNext()
    },
    async drain(): Promise<void> {
      if (running.size === 0 && waiting.size === 0) return
      await new Promise<void>((resolve) => drained.push(resolve))
    },
  }
}
