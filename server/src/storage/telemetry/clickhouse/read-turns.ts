import { limits } from '@assay/contract/limits.ts'
import { openMemberBudget } from '../../../platform/member-budget.ts'
import { openMemberQueue } from '../../../platform/member-queue.ts'
import type { Requester } from '../../../platform/requester.ts'
import { defaultDeadlineMs, type ReadOptions, ReadTimeout } from '../port/read-options.ts'
import type { StatementOptions } from './connection.ts'

/*
 * Whose read the engine works on. Organizations take turns, and in them their people; a person and an organization leave
 * some of the reads that run at once to others.
 */

export interface ReadTurns {
  /** Runs `read` when it is its turn. It is stopped by the signal of the options and by its deadline. */
  run<Result>(
    projectId: string,
    options: ReadOptions | undefined,
    read: (statement: StatementOptions) => Promise<Result>,
  ): Promise<Result>
  /** Resolves when no read runs or waits. */
  drain(): Promise<void>
}

/** ClickHouse uses all its processors for one statement: more at once only share them. */
const runningMax = 12
const runningMaxOfOrganization = 9
const runningMaxOfUser = 6

interface Waiting {
  readonly requester: Requester
  start(): void
}

export function openReadTurns(deadlineOfStoreMs = defaultDeadlineMs): ReadTurns {
  const waiting = openMemberQueue<Waiting>()
  const running = new Set<Requester>()
  const budget = openMemberBudget({
    total: limits.unfinishedReads.value,
    ofOrganization: limits.unfinishedReadsOfOrganization.value,
    ofUser: limits.unfinishedReadsOfUser.value,
    refusal: 'Too many queries are waiting. Try again shortly.',
  })
  const drained: (() => void)[] = []

  const count = (isOf: (requester: Requester) => boolean) => [...running].filter(isOf).length
  const mayRun = ([organizationId, userId]: Requester) =>
    count(([own]) => own === organizationId) < runningMaxOfOrganization &&
    count(([, own]) => own === userId) < runningMaxOfUser
  const startNext = () => {
    while (running.size < runningMax) {
      const next = waiting.take(mayRun)
      if (next === undefined) break
      next.charge(1)
      next.item.start()
    }
    if (running.size === 0 && waiting.size === 0) for (const each of drained.splice(0)) each()
  }
  const waitForTurn = async (requester: Requester, signal: AbortSignal): Promise<void> => {
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
  }
  return {
    async run(projectId, options = {}, read) {
      const { requester: given, signal, deadlineMs = deadlineOfStoreMs } = options
      signal?.throwIfAborted()
      if (deadlineMs <= 0) throw new ReadTimeout()
      // A copy of its own, which stands for this read among those that run.
      const [organizationId, userId] = given ?? [projectId, projectId]
      const requester: Requester = [organizationId, userId]
      const release = budget.take(requester)
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(new ReadTimeout()), deadlineMs)
      const stop = AbortSignal.any([deadline.signal, ...(signal === undefined ? [] : [signal])])
      try {
        await waitForTurn(requester, stop)
        const result = await read({ signal: stop, timeoutMs: deadlineMs })
        stop.throwIfAborted()
        return result
      } finally {
        clearTimeout(timer)
        running.delete(requester)
        release()
        startNext()
      }
    },
    async drain() {
      if (running.size === 0 && waiting.size === 0) return
      await new Promise<void>((resolve) => drained.push(resolve))
    },
  }
}
