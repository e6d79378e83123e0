import { call } from '@assay/contract/client.ts'
import { exportSelectedTrajectories } from '@assay/contract/export.ts'
import { limits } from '@assay/contract/limits.ts'
import { moveTraces, tagTraces } from '@assay/contract/trace-management.ts'
import { listTraces } from '@assay/contract/traces.ts'
import type { Attack, Target } from './attack.ts'

/*
 * Members who send requests about as many traces as one may have.
 */

export const selectionAttacks: readonly Attack[] = [
  {
    name: 'moves',
    by: 'editor',
    endpoints: [moveTraces],
    connections: 4,
    responds: [200],
    requests: async (target) => {
      const lists = await traceLists(target, 4)
      return (n) => {
        const projects = [target.projectId, target.secondProjectId]
        // There and back again.
        const [from = '', to = ''] = n % 8 < 4 ? projects : projects.toReversed()
        return {
          params: { projectId: to },
          body: { source_project_id: from, trace_ids: lists[n % 4] ?? [] },
        }
      }
    },
  },
  {
    name: 'tags-chosen',
    by: 'editor',
    endpoints: [tagTraces],
    connections: 4,
    responds: [200],
    requests: async (target) => {
      const ids = await manyTraces(target)
      return (n) => ({ body: { trace_ids: ids, add: [`tag ${n}`], remove: [`tag ${n - 4}`] } })
    },
  },
  {
    name: 'exports-chosen',
    by: 'admin',
    endpoints: [exportSelectedTrajectories],
    connections: 16,
    responds: [200],
    requests: async (target) => {
      const ids = await manyTraces(target)
      return () => ({ body: { trace_ids: ids } })
    },
  },
]

/** As many traces as a request about a selection may have. */
async function manyTraces(target: Target): Promise<readonly string[]> {
  const lists = await traceLists(target, limits.changedTraces.value / limits.movedTraces.value)
  return lists.flat()
}

/** The ids of ordinary traces, as many as one request moves in each list. */
export async function traceLists(
  { api, projectId, credentials }: Target,
  count: number,
): Promise<string[][]> {
  const lists: string[][] = []
  for (let to = new Date().toISOString(); lists.length < count; ) {
    const query = { limit: limits.movedTraces.value, source: 'otlp', to } as const
    const args = { params: { projectId }, query }
    const traces = await call(api, listTraces, args, { headers: credentials.admin })
    const last = traces.at(-1)
    if (last === undefined) break
    lists.push(traces.map(({ trace_id }) => trace_id))
    to = last.started_at
  }
  return lists
}
