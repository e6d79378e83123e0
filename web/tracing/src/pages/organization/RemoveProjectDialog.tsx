import type { Project } from '@assay/contract/organizations.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import { countOf } from '@assay/ui/count-of.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useQuery } from '@tanstack/react-query'
import { useRemoveProject } from '../../api/organizations.ts'
import { traceCountQuery } from '../../api/traces.ts'
import { tracingKeysQuery } from '../../api/tracing-keys.ts'

/** Requires the slug before a project is deleted, and lists what is deleted with it. */
export function RemoveProjectDialog({ dialog }: { readonly dialog: DialogState<Project> }) {
  return (
    <ConfirmDialog
      dialog={dialog}
      mutation={useRemoveProject()}
      variables={({ id, slug }) => ({ projectId: id, slug })}
      title={({ name }) => `Delete ${name}?`}
      confirmLabel="Delete project"
      typed={({ slug }) => slug}
    >
      {(project) => <Losses project={project} />}
    </ConfirmDialog>
  )
}

function Losses({ project }: { readonly project: Project }) {
  const count = useQuery(traceCountQuery(project.id))
  const keys = useQuery(tracingKeysQuery(project.id))
  const active = keys.data?.filter(({ revoked_at }) => revoked_at === null).length
  return (
    <>
      <p>This can't be undone. It deletes:</p>
      <ul>
        <li>
          <strong>
            {typeof count.data === 'number' ? countOf(count.data, 'trace') : 'All traces'}
          </strong>{' '}
          with all spans, metrics and logs
        </li>
        <li>
          <strong>
            {active === undefined ? 'All tracing keys' : countOf(active, 'active tracing key')}
          </strong>
          : requests with them are rejected
        </li>
      </ul>
    </>
  )
}
