import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import type { RepricingJob } from '@assay/contract/jobs.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { DataTable } from '@assay/ui/table/DataTable.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { isActive, jobsQuery, useCancelJob } from '../../api/jobs.ts'
import { earliestStart } from '../../filter/time-range.ts'
import { PageHead } from '../../page/PageHead.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import page from '../../page/page.module.css'
import { RunningJob } from '../../page/RunningJob.tsx'
import { TwoLines } from '../../page/TwoLines.tsx'
import { formatTracesDone } from '../../parts/job-progress.ts'
import { useProject } from '../../shell/use-project.ts'
import { NewRepricing } from './NewRepricing.tsx'
import styles from './prices.module.css'
import {
  formatCostDifference,
  formatRepricingResult,
  formatTraceCount,
} from './repricing-format.ts'

const route = getRouteApi('/signed-in/p/$projectId/prices/recalculate')

/** Applies the current prices to stored traces. */
export function RepricingPage() {
  const current = useProject()
  const projectId = current.project.id
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const jobs = useQuery(jobsQuery(projectId, 'repricing'))
  const canReprice = current.can('manage_org_settings')
  const running = jobs.data?.find(isActive)
  const canceling = useCancelJob(projectId, 'repricing')
  return (
    <div className={styles.page}>
      <PageHead
        title="Recalculate costs"
        lead="Stored calls keep the cost they got on arrival. Recalculating applies the current prices, as of the start of each call. Costs reported by the sender are kept."
      />
      <PermissionNote access={current} needs="manage_org_settings" to="recalculate costs" />
      {running !== undefined && (
        <RunningJob
          label="Recalculation"
          activity="Recalculating"
          progress={running.progress}
          uncounted={uncounted}
          onCancel={canReprice ? () => canceling.mutate(running.id) : undefined}
          isCanceling={canceling.isPending}
          cancelError={canceling.error?.message}
        >
          {running.details.spans_examined > 0 && formatRepricingResult(running.details)} It
          continues when you leave this page. If you cancel it, completed changes are kept.
        </RunningJob>
      )}
      {canReprice && (
        <NewRepricing
          // The preview belongs to one time range.
          key={JSON.stringify(search)}
          projectId={projectId}
          search={search}
          isBusy={running !== undefined}
          onChange={(next) => void navigate({ search: next, replace: true })}
        />
      )}
      <h2 className={page.heading}>History</h2>
      <DataTable
        caption="Recalculation history"
        rows={jobs}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<p className={page.note}>Costs have never been recalculated.</p>}
      />
    </div>
  )
}

const uncounted = formatTraceCount(null)

const columns: readonly Column<RepricingJob>[] = [
  {
    key: 'started',
    header: 'Started',
    cell: ({ created_at }) => <TimeText at={created_at} withAge />,
  },
  {
    key: 'range',
    header: 'Calls started',
    cell: ({ details: { from, to } }) => (
      <>
        {from !== earliestStart && (
          <>
            from <TimeText at={from} />{' '}
          </>
        )}
        until <TimeText at={to} />
      </>
    ),
  },
  { key: 'status', header: 'Status', narrow: 'bare', cell: (job) => <Status job={job} /> },
  {
    key: 'changed',
    header: 'Changed',
    align: 'end',
    cell: ({ details: { spans_changed, spans_examined } }) =>
      `${formatCount(spans_changed)} of ${formatCount(spans_examined)}`,
  },
  {
    key: 'difference',
    header: 'Difference',
    align: 'end',
    cell: ({ details: { cost_before_usd, cost_after_usd } }) =>
      formatCostDifference(cost_before_usd, cost_after_usd),
  },
]

function Status({ job }: { readonly job: RepricingJob }) {
  switch (job.state) {
    case 'completed':
      return <StatusMark isError={false} word="Completed" />
    case 'failed':
      return (
        <TwoLines below={job.problem ?? ''}>
          <StatusMark isError word="Failed" />
        </TwoLines>
      )
    case 'cancelled':
      return `Canceled after ${formatTracesDone(job.progress, uncounted)}`
    case 'queued':
    case 'running':
      return `Running, ${formatTracesDone(job.progress, uncounted)}`
  }
}
