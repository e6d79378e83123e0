import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { LazyRemoveSampleDialog } from './lazy-dialogs.ts'
import styles from './Shell.module.css'
import type { CurrentProject } from './use-project.ts'

/** Marks the pages of a sample project, which can be deleted here. */
export function SampleNote({ current: { project, can } }: { readonly current: CurrentProject }) {
  const removing = useDialog<CurrentProject['project']>()
  return (
    <aside className={styles.notice} aria-label="Sample data">
      <span>This project contains fictional sample data.</span>
      {can('manage_org_settings') && (
        <Button variant="subtle" size="compact-xs" onClick={() => removing.open(project)}>
          Delete sample data
        </Button>
      )}
      <LazyRemoveSampleDialog dialog={removing} />
    </aside>
  )
}
