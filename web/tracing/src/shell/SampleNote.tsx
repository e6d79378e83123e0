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
    <aside className={styles.sample} aria-label="Sample data">
      <span>
        <strong>Sample data</strong>: fictional.
      </span>
      {can('manage_org_settings') && (
        <Button variant="subtle" size="compact-xs" onClick={() => removing.open(project)}>
          Remove
        </Button>
      )}
      <ConfirmDialog
        dialog={removing}
        mutation={useRemoveProject()}
        variables={({ id, slug }) => ({ projectId: id, slug })}
        title="Remove the sample data?"
        confirmLabel="Remove"
        onDone={() => void navigate({ to: '/' })}
      >
        <p>This deletes the project with everything in it. You can load sample data again.</p>
      </ConfirmDialog>
    </aside>
  )
}
