import { createSampleProject } from '@assay/contract/organizations.ts'
import { userActor } from '../../accounts/audit.ts'
import { createProject } from '../../accounts/create-project.ts'
import { toApiProject } from '../../accounts/project.ts'
import { removeProject } from '../../accounts/remove-project.ts'
import type { Bind } from '../../http/call.ts'
import type { JobRunner } from '../../jobs/runner.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { type FillPorts, fillProject } from './fill-project.ts'

interface Ports extends FillPorts {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly runner: Pick<JobRunner, 'wake'>
  readonly clock: Clock
}

export function registerSampleData({ bind, accounts, runner, clock, ...ports }: Ports): void {
  bind(createSampleProject, async ({ caller, client, readOptions: { requester } }) => {
    const actor = userActor(caller.user, client)
    const now = clock.now()
    const at = now.toISOString()
    const input = { name: 'Sample data', slug: undefined }
    const { row } = await createProject(caller.organizationId, input, actor, at, accounts)
    try {
      const counts = await fillProject(row.id, requester, now.getTime(), ports)
      return {
        ...toApiProject(row),
        trace_count: counts.traceCount,
        span_count: counts.spanCount,
        log_count: counts.logCount,
        data_point_count: counts.pointCount,
      }
    } catch (error) {
      // A partly filled project would look complete.
      await removeProject(row.id, row.slug, actor, clock.now().toISOString(), accounts)
      runner.wake()
      throw error
    }
  })
}
