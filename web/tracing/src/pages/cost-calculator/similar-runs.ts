import { limits } from '@assay/contract/limits.ts'
import type { TraceRun } from '@assay/contract/trace-runs.ts'

/**
 * The ids of the selected runs and, up to as many as can be imported, of the newest others that probably are of the same
 * agent: with the name and service of a selected one. `runs` are newest first.
 */
export function withSimilarRuns(
  runs: readonly TraceRun[],
  selected: readonly string[],
): readonly string[] {
  const agentOf = ({ rootName, service }: TraceRun) => JSON.stringify([rootName, service])
  const agents = new Set(runs.filter(({ traceId }) => selected.includes(traceId)).map(agentOf))
  const others = runs.filter((run) => agents.has(agentOf(run)) && !selected.includes(run.traceId))
  const free = Math.max(limits.extractedRuns.value - selected.length, 0)
  return [...selected, ...others.slice(0, free).map(({ traceId }) => traceId)]
}
