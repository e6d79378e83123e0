import { PageHead } from '../../page/PageHead.tsx'
import page from '../../page/page.module.css'
import { RoleNote } from '../../page/RoleNote.tsx'
import { type CurrentProject, useProject } from '../../shell/use-project.ts'
import { useTitle } from '../../shell/use-title.ts'
import { RetentionForm } from './RetentionForm.tsx'

/** How long the telemetry of a project is kept. */
export function StoragePage() {
  const current = useProject()
  useTitle('Storage')
  return current === undefined ? null : <Storage current={current} />
}

function Storage({
  current: { project, organization, may },
}: {
  readonly current: CurrentProject
}) {
  const mayChange = may('manage_org_settings')
  return (
    <div className={page.page}>
      <PageHead title="Storage" lead="How long the telemetry of this project is kept." />
      {!mayChange && (
        <RoleNote organization={organization}>
          Its Owners and Admins say how long telemetry is kept.
        </RoleNote>
      )}
      <RetentionForm project={project} mayChange={mayChange} />
    </div>
  )
}
