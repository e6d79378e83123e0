import { limits } from '@assay/contract/limits.ts'
import type { TraceVerdict } from '../../evaluators/evaluate-trace.ts'
import { openDeadlineThread } from '../../platform/deadline-thread.ts'
import { Unavailable } from '../../platform/failure.ts'
import { type FairSlots, openFairSlots } from '../../platform/fair-slots.ts'
import type { Log } from '../../platform/log.ts'
import { openMemberBudget } from '../../platform/member-budget.ts'
import type { Requester } from '../../platform/requester.ts'
import type { EvaluationTask } from './evaluation-thread.ts'

/*
 * Runs deterministic evaluators in a thread of their own. Organizations take turns. An evaluator that takes too long costs
 * its own result only.
 */

export interface EvaluationRunner {
  /** Runs `work`, which reads traces and then calls `run`, when few others do. Rejects with Unavailable when too many wait. */
  readonly inTurn: FairSlots
  /** A verdict for each evaluator, in their order. Rejects with Unavailable when too much waits. */
  run(requester: Requester, signal: AbortSignal, task: EvaluationTask): Promise<TraceVerdict[]>
  close(): Promise<void>
}

export interface EvaluationRunnerOptions {
  readonly log: Log
  readonly deadlineMs?: number
  readonly module?: URL
}

const threadModule = new URL('./evaluation-thread.ts', import.meta.url)

/** Several times what all evaluators take on the largest trace. */
const defaultDeadlineMs = limits.evaluatorSeconds.value * 1000
/** Once this many evaluators took too long alone, the others are not tried. */
const lateMax = 2
const maxHeapMb = 1024
const idleMs = 60_000
/** Evaluations that have read their traces. Others wait without, so that many requests at once do not exhaust the memory. */
const readMax = 3
const readMaxOfOrganization = 2
const waitingMax = 500

export function openEvaluationRunner(options: EvaluationRunnerOptions): EvaluationRunner {
  const { log, deadlineMs = defaultDeadlineMs, module = threadModule } = options
  const thread = openDeadlineThread<EvaluationTask, TraceVerdict[]>({
    ...{ module, deadlineMs, idleMs, maxHeapMb, log, name: 'evaluation' },
  })
  const inTurn = openFairSlots({
    ...{ runningMax: readMax, runningMaxOfOwner: readMaxOfOrganization, waitingMax },
    refusal: 'Too many traces wait to be evaluated. Try again shortly.',
  })
  const budget = openMemberBudget({
    total: limits.evaluatedBytesAtOnce.value,
    ofOrganization: limits.evaluatedBytesOfOrganization.value,
    ofUser: limits.evaluatedBytesOfUser.value,
    refusal: 'Too many traces wait to be evaluated. Try again shortly.',
  })

  const runOneByOne = async (owner: string, signal: AbortSignal, task: EvaluationTask) => {
    const verdicts: TraceVerdict[] = []
    let lateCount = 0
    for (const evaluator of task.evaluators) {
      const verdict =
        lateCount === lateMax
          ? tooLate
          : await thread.run({ owner, signal }, { ...task, evaluators: [evaluator] }).then(
              ([only]) => only ?? tooLate,
              (error: unknown) => {
                if (!(error instanceof Unavailable)) throw error
                lateCount += 1
                return tooLate
              },
            )
      verdicts.push(verdict)
    }
    return verdicts
  }
  return {
    inTurn,
    async run(requester, signal, task) {
      const [owner] = requester
      const release = budget.take(requester, sizeOf(task))
      try {
        return await thread.run({ owner, signal }, task)
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        return await runOneByOne(owner, signal, task)
      } finally {
        release()
      }
    },
    close: () => thread.close(),
  }
}

const tooLate: TraceVerdict = {
  verdict: {
    status: 'error',
    reasoning: 'timeout: the evaluator took too long on this trace.',
  },
  latencyMs: 0,
}

function sizeOf({ pages, siblings }: EvaluationTask): number {
  const all = [...pages, ...siblings.flatMap((one) => one.pages)]
  return all.reduce((sum, { byteLength }) => sum + byteLength, 0)
}
