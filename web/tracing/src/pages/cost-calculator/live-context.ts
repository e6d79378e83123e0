import { createContext, use, useSyncExternalStore } from 'react'
import type { LiveRun, LiveRuns } from '../../api/live-runs.ts'

/** Provided by `CostFrame`. */
export const LiveContext = createContext<LiveRuns | undefined>(undefined)

export function useLiveRuns(): LiveRuns {
  const live = use(LiveContext)
  if (live === undefined) throw new Error('This page is not a page of the cost calculator.')
  return live
}

/** What this tab is doing with a run; undefined if it has started nothing. */
export function useLiveRun(runId: string): LiveRun | undefined {
  const live = useLiveRuns()
  return useSyncExternalStore(live.subscribe, () => live.find(runId))
}
