import { limits } from '@assay/contract/limits.ts'
import type { TraceVerdict } from '../../evaluators/evaluate-trace.ts'
import { type Deadline, DeadlinePassed } from '../../platform/deadline.ts'
import { CallLost, type LostBecause, openDeadlineProcess } from '../../platform/deadline-process.ts'
import { type FairSlots, openFairSlots } from '../../platform/fair-slots.ts'
import type { Log } from '../../platform/log.ts'
import { openByteBudget } from '../../platform/member-budget.ts'
import type { Requester } from '../../platform/requester.ts'
import type { ChosenEvaluator, SentTask, SentTrace } from './evaluation-process.ts'
import type { SerializedTrace } from './read-trace.ts'

/*
 * Runs deterministic evaluators in a process of their own. Organizations take turns. An evaluator that takes too long or too
 * much memory costs its own result only; a trace that does so while it is read costs the results of all.
 */

export interface EvaluationRunner {
  /** Runs `work`, which reads traces and then calls `run`, when few others do. Rejects with Unavailable when too many wait. */
  readonly inTurn: FairSlots
  /**
   * A verdict for each evaluator, in their order; an error for those that the time did not suffice for. Rejects with
   * Unavailable when too much waits, and with the reason of the signal when the caller aborts.
   */
  run(requester: Requester, time: Deadline, task: EvaluationTask): Promise<TraceVerdict[]>
  close(): Promise<void>
}

export interface EvaluationTask extends SerializedTrace {
  /** In the order of the results. */
  readonly evaluators: readonly ChosenEvaluator[]
  readonly siblings: readonly SerializedTrace[]
}

export interface EvaluationRunnerOptions {
  readonly log: Log
  readonly deadlineMs?: number
  readonly maxHeapMb?: number
}

const module = new URL('./evaluation-process.ts', import.meta.url)

/** Several times what all evaluators take on the largest trace. */
const defaultDeadlineMs = limits.evaluatorSeconds.value * 1000
/** Once this many evaluators were lost alone, the others are not tried. */
const lostMax = 2
const defaultMaxHeapMb = 1024
const idleMs = 60_000
/** Evaluations that have read their traces. Others wait without, so that many requests at once do not exhaust the memory. */
const readMax = 3
const readMaxOfOrganization = 2
const waitingMax = 500

export function openEvaluationRunner(options: EvaluationRunnerOptions): EvaluationRunner {
  const { log, deadlineMs = defaultDeadlineMs, maxHeapMb = defaultMaxHeapMb } = options
  const child = openDeadlineProcess<SentTask, TraceVerdict[]>({
    ...{ module, deadlineMs, idleMs, maxHeapMb, log, name: 'evaluation' },
  })
  const inTurn = openFairSlots({
    ...{ runningMax: readMax, runningMaxOfOwner: readMaxOfOrganization, waitingMax },
    refusal: 'Too many traces wait to be evaluated. Try again shortly.',
  })
  const budget = openByteBudget({
    total: limits.evaluatedBytesAtOnce.value,
    ofOrganization: limits.evaluatedBytesOfOrganization.value,
    ofUser: limits.evaluatedBytesOfUser.value,
    refusal: 'Too many traces wait to be evaluated. Try again shortly.',
  })

  const attempt = async (
    owner: string,
    time: Deadline,
    task: EvaluationTask,
  ): Promise<TraceVerdict[] | Loss> => {
    try {
      const { sent, buffers } = toSent(task)
      return await child.run({ owner, signal: time.signal }, sent, { endsAt: time.endsAt, buffers })
    } catch (error) {
      if (error instanceof DeadlinePassed) return 'time is up'
      if (!(error instanceof CallLost) || error.because === 'closed') throw error
      return time.isUp() ? 'time is up' : error.because
    }
  }
  const runOneByOne = async (owner: string, time: Deadline, task: EvaluationTask) => {
    const { evaluators } = task
    const reading = await attempt(owner, time, { ...task, evaluators: [] })
    if (typeof reading === 'string') return evaluators.map(() => failed(unread[reading]))
    const verdicts: TraceVerdict[] = []
    let lostCount = 0
    for (const evaluator of evaluators) {
      const outcome =
        lostCount < lostMax
          ? await attempt(owner, time, { ...task, evaluators: [evaluator] })
          : 'not run'
      if (typeof outcome === 'string') lostCount += outcome === 'time is up' ? 0 : 1
      verdicts.push(...(typeof outcome === 'string' ? [failed(unfinished[outcome])] : outcome))
    }
    return verdicts
  }
  return {
    inTurn,
    async run(requester, time, task) {
      const [owner] = requester
      const release = budget.take(requester, sizeOf(task))
      try {
        const together = await attempt(owner, time, task)
        return typeof together === 'string' ? await runOneByOne(owner, time, task) : together
      } finally {
        release()
      }
    },
    close: () => child.close(),
  }
}

type Loss = Exclude<LostBecause, 'closed'> | 'time is up'

const outOfTimeText = `timeout: the evaluation reached its limit of ${limits.evaluationSeconds.value} seconds before this evaluator had a result.`

const unfinished: Readonly<Record<Loss | 'not run', string>> = {
  'time is up': outOfTimeText,
  'too late': 'timeout: the evaluator took too long on this trace.',
  'out of memory': 'the evaluator needs more memory for this trace than it may use.',
  failed: 'the evaluator failed.',
  'not run':
    'timeout: not run, because other evaluators took too much time or memory on this trace.',
}

const unread: Readonly<Record<Loss, string>> = {
  'time is up': outOfTimeText,
  'too late': 'timeout: the trace takes too long to read.',
  'out of memory': 'the trace needs more memory than evaluators may use.',
  failed: 'the trace could not be read.',
}

function failed(reasoning: string) {
  return { verdict: { status: 'error', reasoning } as const, latencyMs: 0 }
}

/** Of an evaluator that the time of its evaluation did not suffice for. */
export const outOfTime = failed(outOfTimeText)

function toSent({ evaluators, siblings, ...evaluated }: EvaluationTask) {
  const toSentTrace = ({ trace, pages }: SerializedTrace): SentTrace => ({
    trace,
    pageCount: pages.length,
  })
  const others = siblings.map(toSentTrace)
  const sent: SentTask = { evaluators, traces: [toSentTrace(evaluated), ...others] }
  return { sent, buffers: [evaluated, ...siblings].flatMap(({ pages }) => pages) }
}

function sizeOf(task: EvaluationTask): number {
  return toSent(task).buffers.reduce((sum, { byteLength }) => sum + byteLength, 0)
}
