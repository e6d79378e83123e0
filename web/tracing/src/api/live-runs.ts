import type { RunResult } from '@assay/contract/cost-runs.ts'
import type { AnyEndpoint, Args, DataOf } from '@assay/contract/endpoint.ts'
import type { ScenarioSummary } from '@assay/contract/scenarios.ts'
import { followLines } from './json-lines.ts'

/*
 * Streams of runs that this tab has started. The service ends a generation or an execution when its connection closes,
 * so a stream continues while the person moves between the pages of the cost calculator, and ends when they leave them.
 */

export interface LiveRun {
  readonly activity: 'generating' | 'executing'
  readonly isActive: boolean
  readonly done: number
  readonly total: number
  readonly costUsd: number
  /** The limit that the person has set; null without one. */
  readonly maxCostUsd: number | null
  /** What arrived since the start, which may be more than the run that was read. */
  readonly scenarios: ReadonlyMap<string, ScenarioSummary>
  /** By `resultKey`. */
  readonly results: ReadonlyMap<string, RunResult>
  readonly error: string | undefined
}

export interface LiveRuns {
  readonly find: (runId: string) => LiveRun | undefined
  readonly subscribe: (listener: () => void) => () => void
  /**
   * Resolves with the id of the run once the service has started it, and rejects if it is refused. `onEnd` is called
   * after a started stream has ended, for whatever reason; what arrived is dropped when it resolves.
   */
  readonly start: <E extends AnyEndpoint>(
    activity: LiveRun['activity'],
    declared: E,
    args: Args<E>,
    onEnd: () => Promise<unknown>,
    maxCostUsd?: number | null,
  ) => Promise<string>
  readonly stop: (runId: string) => void
  readonly stopAll: () => void
}

export const resultKey = (one: Pick<RunResult, 'scenario_id' | 'model_config_id'>) =>
  `${one.scenario_id} ${one.model_config_id}`

/** The events of all streams of runs. */
type RunEvent =
  | { readonly type: 'started'; readonly run_id: string; readonly total: number }
  | { readonly type: 'scenario'; readonly scenario: ScenarioSummary }
  | { readonly type: 'result'; readonly result: RunResult }
  | {
      readonly type: 'progress'
      readonly done: number
      readonly total: number
      readonly cost_usd: number
    }
  | { readonly type: 'estimate' | 'completed' }

/** Changes are announced at most this often: a run has up to 8,000 results. */
const noticeMs = 120

export function createLiveRuns(): LiveRuns {
  const runs = new Map<string, LiveRun>()
  const aborts = new Map<string, AbortController>()
  const listeners = new Set<() => void>()
  let notice: ReturnType<typeof setTimeout> | undefined

  function notify(): void {
    clearTimeout(notice)
    notice = undefined
    for (const listener of listeners) listener()
  }

  function set(runId: string, run: LiveRun): void {
    runs.set(runId, run)
    notice ??= setTimeout(notify, noticeMs)
  }

  async function follow<E extends AnyEndpoint>(
    activity: LiveRun['activity'],
    declared: E,
    args: Args<E>,
    { onStart, onEnd, maxCostUsd }: Callbacks,
  ): Promise<void> {
    const abort = new AbortController()
    let runId: string | undefined
    let error: string | undefined
    try {
      const onEvent = (event: DataOf<E>) => {
        const one = event as RunEvent
        if (one.type === 'started') {
          runId = one.run_id
          aborts.set(runId, abort)
          set(runId, newRun(activity, one.total, maxCostUsd))
          onStart(runId)
        } else if (runId !== undefined) {
          set(runId, addEvent(runs.get(runId)!, one))
        }
      }
      await followLines(declared, args, onEvent, abort.signal)
    } catch (cause) {
      if (runId === undefined) throw cause
      if (!abort.signal.aborted) error = cause instanceof Error ? cause.message : String(cause)
    }
    if (runId === undefined) return
    aborts.delete(runId)
    const ended = { isActive: false, error }
    // Otherwise the run that was read before would show as in progress elsewhere until it is read again.
    if (error !== undefined) runs.set(runId, { ...runs.get(runId)!, ...ended })
    notify()
    await onEnd().catch(() => undefined)
    // What arrived is part of the run that was read again, and older than later changes.
    const { scenarios, results } = newRun(activity, 0, null)
    if (!aborts.has(runId)) runs.set(runId, { ...runs.get(runId)!, ...ended, scenarios, results })
    notify()
  }

  const stop = (runId: string) => aborts.get(runId)?.abort()
  return {
    find: (runId) => runs.get(runId),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: (activity, declared, args, onEnd, maxCostUsd = null) =>
      new Promise((resolve, reject) => {
        const callbacks = { onStart: resolve, onEnd, maxCostUsd }
        void follow(activity, declared, args, callbacks).catch(reject)
      }),
    stop,
    stopAll() {
      for (const runId of aborts.keys()) stop(runId)
    },
  }
}

interface Callbacks {
  readonly onStart: (runId: string) => void
  readonly onEnd: () => Promise<unknown>
  readonly maxCostUsd: number | null
}

function newRun(activity: LiveRun['activity'], total: number, maxCostUsd: number | null): LiveRun {
  return {
    ...{ activity, total, maxCostUsd, isActive: true, done: 0, costUsd: 0, error: undefined },
    ...{ scenarios: new Map(), results: new Map() },
  }
}

/** The maps are changed in place: copies of thousands of entries for each event would take seconds. */
function addEvent(run: LiveRun, event: RunEvent): LiveRun {
  switch (event.type) {
    case 'scenario':
      ;(run.scenarios as Map<string, ScenarioSummary>).set(event.scenario.id, event.scenario)
      return { ...run }
    case 'result':
      ;(run.results as Map<string, RunResult>).set(resultKey(event.result), event.result)
      return { ...run }
    case 'progress':
      return { ...run, done: event.done, total: event.total, costUsd: event.cost_usd }
    default:
      return run
  }
}
