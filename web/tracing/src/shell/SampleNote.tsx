import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRemoveProject } from '../api/organizations.ts'
import styles from './Shell.module.css'
import type { CurrentProject } from './use-project.ts'

/** Marks the pages of a sample project, which can be deleted here. */
export function SampleNote({ current: { project, can } }: { readonly current: CurrentProject }) {
  const removing = useDialog<CurrentProject['project']>()
  const navigate = useNavigate()
  return (
    <aside className={styles.notice} aria-label="Sample data">
      <span>This project contains fictional sample data.</span>
      {can('manage_org_settings') && (
        <Button variant="subtle" size="compact-xs" onClick={() => removing.open(project)}>
          Delete sample data
        </Button>
      )}
      <ConfirmDialog
        dialog={removing}
        mutation={useRemoveProject()}
        variables={({ id, slug }) => ({ projectId: id, slug })}
        title="Delete the sample data?"
        confirmLabel="Delete sample data"
        onDone={() => void navigate({ to: '/' })}
      >
        <p>This deletes the project with everything in it. You can load sample data again.</p>
      </ConfirmDialog>
    </aside>
  )
}
