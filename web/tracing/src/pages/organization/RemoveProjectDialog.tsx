import type { Project } from '@assay/contract/organizations.ts'
import { countOf } from '@assay/ui/count-of.ts'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useQuery } from '@tanstack/react-query'
import { useRemoveProject } from '../../api/organizations.ts'
import { traceCountQuery } from '../../api/traces.ts'
import { tracingKeysQuery } from '../../api/tracing-keys.ts'
import { ConfirmDialog } from '../../page/ConfirmDialog.tsx'

/** Asks for the slug before a project goes, and says all that goes with it. */
export function RemoveProjectDialog({ dialog }: { readonly dialog: DialogState<Project> }) {
  const { target, isOpen, close } = dialog
  const removing = useRemoveProject()
  function leave(): void {
    removing.reset()
    close()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Delete ${target?.name ?? ''}?`}
      confirmLabel="Delete project"
      typed={target?.slug ?? ''}
      error={removing.error?.message}
      isPending={removing.isPending}
      onConfirm={() =>
        target !== undefined &&
        removing.mutate({ projectId: target.id, slug: target.slug }, { onSuccess: leave })
      }
      onClose={leave}
    >
      {target !== undefined && <Losses project={target} />}
    </ConfirmDialog>
  )
}

function Losses({ project }: { readonly project: Project }) {
  const count = useQuery(traceCountQuery(project.id))
  const keys = useQuery(tracingKeysQuery(project.id))
  const active = keys.data?.filter(({ revoked_at }) => revoked_at === null).length
  return (
    <>
      <p>Gone for good, with no way back:</p>
      <ul>
        <li>
          <strong>
            {typeof count.data === 'number' ? countOf(count.data, 'trace') : 'All traces'}
          </strong>{' '}
          with all spans, metrics, logs and scores
        </li>
        <li>
          <strong>
            {active === undefined ? 'All tracing keys' : countOf(active, 'active tracing key')}
          </strong>
          : whatever sends with them is refused from its next request on
        </li>
      </ul>
    </>
  )
}
