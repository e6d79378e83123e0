import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRemoveProject } from '../api/organizations.ts'
import { ConfirmDialog } from '../page/ConfirmDialog.tsx'
import styles from './Shell.module.css'
import type { CurrentProject } from './use-project.ts'

/** Stands above every page of a sample project: says that it is one, and takes it away again. */
export function SampleNote({ current: { project, can } }: { readonly current: CurrentProject }) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const navigate = useNavigate()
  const removing = useRemoveProject()
  const remove = () =>
    removing.mutate(
      { projectId: project.id, slug: project.slug },
      { onSuccess: () => void navigate({ to: '/' }) },
    )
  return (
    <aside className={styles.sample} aria-label="Sample data">
      <span>
        <strong>Sample data</strong>: made up, to look around in.
      </span>
      {can('manage_org_settings') && (
        <Button variant="subtle" size="compact-xs" onClick={() => setDialogOpen(true)}>
          Remove
        </Button>
      )}
      <ConfirmDialog
        isOpen={isDialogOpen}
        title="Remove the sample data?"
        confirmLabel="Remove"
        cancelLabel="Keep it"
        error={removing.error?.message}
        isPending={removing.isPending}
        onConfirm={remove}
        onClose={() => setDialogOpen(false)}
      >
        <p>The project goes with everything in it. Sample data can be loaded again at any time.</p>
      </ConfirmDialog>
    </aside>
  )
}
