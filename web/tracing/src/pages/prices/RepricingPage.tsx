import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { isRunning, repricingsQuery } from '../../api/repricing.ts'
import { parseTimeSearch } from '../../filter/time-range.ts'
import { PageHead } from '../../page/PageHead.tsx'
import page from '../../page/page.module.css'
import { RoleNote } from '../../page/RoleNote.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { type CurrentProject, useProject } from '../../shell/use-project.ts'
import { JobTable } from './JobTable.tsx'
import { NewRepricing } from './NewRepricing.tsx'
import styles from './prices.module.css'
import { RunningJob } from './RunningJob.tsx'

const route = getRouteApi('/signed-in/p/$projectId/prices/recalculate')

/** Brings what is stored to the prices that hold now. */
export function RepricingPage() {
  const current = useProject()
  return current === undefined ? null : <Repricings current={current} />
}

function Repricings({
  current: { project, organization, can },
}: {
  readonly current: CurrentProject
}) {
  const search = route.useSearch({ select: parseTimeSearch })
  const navigate = route.useNavigate()
  const jobs = useQuery(repricingsQuery(project.id))
  const canReprice = can('manage_org_settings')
  const running = jobs.data?.find(isRunning)
  return (
    <div className={styles.page}>
      <PageHead
        title="Price anew"
        lead="What is stored keeps the cost it got when it arrived. Here it is brought to the prices that hold now for when each call began. Costs that the sender reported stay."
      />
      {!canReprice && (
        <RoleNote organization={organization}>Its Owners and Admins price anew.</RoleNote>
      )}
      {running !== undefined && (
        <RunningJob projectId={project.id} job={running} canCancel={canReprice} />
      )}
      {canReprice && (
        <NewRepricing
          // Figures of another time are of no use.
          key={JSON.stringify(search)}
          projectId={project.id}
          search={search}
          isBusy={running !== undefined}
          onChange={(next) => void navigate({ search: next, replace: true })}
        />
      )}
      <h2 className={page.heading}>History</h2>
      {jobs.isPending ? (
        <TableSkeleton rows={3} />
      ) : jobs.isError ? (
        <RequestProblem error={jobs.error} onRetry={() => void jobs.refetch()} />
      ) : (
        <JobTable jobs={jobs.data} />
      )}
    </div>
  )
}
