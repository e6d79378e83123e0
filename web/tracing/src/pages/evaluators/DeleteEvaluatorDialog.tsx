import type { Evaluator } from '@assay/contract/evaluators.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import type { DialogState } from '@assay/ui/use-dialog.ts'
import { useQuery } from '@tanstack/react-query'
import { collectionsQuery } from '../../api/evaluations.ts'
import { useRemoveEvaluator } from '../../api/evaluators.ts'
import { StoppedRules } from './StoppedRules.tsx'

interface Props {
  readonly orgId: string
  readonly projectId: string
  readonly dialog: DialogState<Evaluator>
}

/** Deletes an evaluator of the organization, after a warning about collections that become empty. */
export function DeleteEvaluatorDialog({ orgId, projectId, dialog }: Props) {
  const { data: collections = [] } = useQuery(collectionsQuery(orgId))
  const emptiedBy = ({ id }: Evaluator) =>
    collections.filter(({ evaluator_ids: ids }) => ids.length === 1 && ids[0] === id)
  return (
    <ConfirmDialog
      dialog={dialog}
      mutation={useRemoveEvaluator(orgId)}
      variables={({ id }) => id}
      title="Delete this evaluator?"
      confirmLabel="Delete evaluator"
    >
      {(evaluator) => (
        <>
          <p>
            <strong>{evaluator.name}</strong> is also removed from collections. Stored results are
            kept.
          </p>
          {emptiedBy(evaluator).map(({ id, name }) => (
            <p key={id}>
              <strong>{name}</strong> then has no evaluators and can no longer be run.{' '}
              <StoppedRules projectId={projectId} collectionId={id} />
            </p>
          ))}
        </>
      )}
    </ConfirmDialog>
  )
}
