import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { storageQuery } from '../../api/storage.ts'
import { PageHead } from '../../page/PageHead.tsx'
import page from '../../page/page.module.css'
import { RoleNote } from '../../page/RoleNote.tsx'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { type CurrentProject, useProject } from '../../shell/use-project.ts'
import { RetentionForm } from './RetentionForm.tsx'
import { StorageTable } from './StorageTable.tsx'

/** What is stored of a project, and how long it is kept. */
export function StoragePage() {
  const current = useProject()
  return current === undefined ? null : <Storage current={current} />
}

function Storage({
  current: { project, organization, can },
}: {
  readonly current: CurrentProject
}) {
  const used = useQuery(storageQuery(project.id))
  const canChange = can('manage_org_settings')
  return (
    <div className={page.page}>
      <PageHead
        title="Storage"
        lead="What is stored of this project, and how long its telemetry is kept."
      />
      {used.isPending ? (
        <TableSkeleton rows={4} />
      ) : used.isError ? (
        <RequestProblem error={used.error} onRetry={() => void used.refetch()} />
      ) : (
        <StorageTable used={used.data} />
      )}
      <section className={page.section}>
        <h2 className={page.heading}>How long telemetry is kept</h2>
        {!canChange && (
          <RoleNote organization={organization}>
            Its Owners and Admins say how long telemetry is kept.
          </RoleNote>
        )}
        <RetentionForm project={project} retention={used.data?.retention} canChange={canChange} />
      </section>
    </div>
  )
}
